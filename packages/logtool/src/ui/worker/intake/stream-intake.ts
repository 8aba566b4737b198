import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { parseTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { LogFrame } from '../../../contract/log-frame.ts';
import type { WireRecord } from '../../../contract/wire-record.ts';
import { type HeldLog, lineOf } from '../store/held-log.ts';
import { isClusterAway } from './cluster-away.ts';
import { MarkerFold } from './marker-fold.ts';
import { markerOfGap, markerOfState } from './marker-text.ts';
import type { EndFrame } from './page-reader.ts';

/** Of more containers that were deleted meanwhile, their number is told. */
const NAMED_DELETED = 3;

export interface IntakeOptions {
  readonly clock: Clock;
  /** Containers that come now joined after the view was opened. */
  readonly isOpened: () => boolean;
  readonly onEnd: (frame: EndFrame) => void;
  /** Sources or problems changed. */
  readonly onChange: () => void;
}

/** Takes in the frames of one connection, whose sources count from 0. */
export class StreamIntake {
  readonly #log: HeldLog;
  readonly #options: IntakeOptions;
  readonly #sources: (number | undefined)[] = [];
  readonly #fold: MarkerFold;
  /** Records whose source was never told: the server broke its word. */
  unknown = 0;

  constructor(log: HeldLog, options: IntakeOptions) {
    this.#log = log;
    this.#options = options;
    this.#fold = new MarkerFold(log, options.clock);
    // A new connection tells anew of those that it cannot read.
    this.#areBack([...log.away]);
  }

  take(frames: readonly LogFrame[]): void {
    for (const frame of frames) this.#takeFrame(frame);
  }

  #takeFrame(frame: LogFrame): void {
    const log = this.#log;
    switch (frame.type) {
      case 'sources':
        for (const source of frame.sources) {
          this.#sources[source.index] = log.store.sources.take(source, this.#options.isOpened());
        }
        this.#options.onChange();
        return;
      case 'records':
        for (const record of frame.records) {
          const line = lineOf(record, this.#sources);
          if (line === undefined) this.unknown++;
          else log.arrive(line);
        }
        this.#readable(frame.records);
        return;
      case 'state':
        this.#takeState(frame);
        return;
      case 'gap': {
        const index = this.#sources[frame.source];
        if (index === undefined) return;
        const at = parseTimestamp(frame.from ?? frame.to ?? '');
        log.mark(markerOfGap(frame, log.store.sources.get(index).wire, index), at);
        return;
      }
      case 'notice': {
        const key = `notice ${frame.code} ${frame.text}`;
        if (frame.error !== undefined) log.problems.set(key, { key, error: frame.error, source: undefined });
        else if (frame.code === 'deleted-meanwhile') this.#takeDeleted(frame);
        else log.mark({ marker: 'notice', source: undefined, text: frame.text, isWarning: false });
        this.#options.onChange();
        return;
      }
      case 'end':
        this.#options.onEnd(frame);
        return;
      case 'progress':
      case 'done':
      case 'heartbeat':
      case 'closing':
        return;
    }
  }

  /** What gives lines can be read, whatever was told before. */
  #readable(records: readonly WireRecord[]): void {
    const log = this.#log;
    if (log.problems.size === 0 && log.away.size === 0) return;
    let isNews = false;
    for (const index of new Set(records.map(([source]) => this.#sources[source]))) {
      if (index !== undefined && this.#areBack([log.store.sources.get(index).wire.id])) isNews = true;
    }
    if (isNews) this.#options.onChange();
  }

  /** Nothing is wrong with these containers any more; true when something was. */
  #areBack(ids: readonly string[]): boolean {
    let isNews = false;
    for (const id of ids) {
      if (this.#log.away.delete(id)) isNews = true;
      if (this.#log.problems.delete(problemOf(id))) isNews = true;
    }
    return isNews;
  }

  /** Containers that were deleted while nobody was connected: they are gone, as others that leave. */
  #takeDeleted({ ids = [], text }: Extract<LogFrame, { readonly type: 'notice' }>): void {
    const log = this.#log;
    const { sources } = log.store;
    const deleted = ids.flatMap((id) => sources.all.findLast(({ wire }) => wire.id === id) ?? []);
    for (const { index } of deleted) sources.setGone(index);
    if (deleted.length === 0 || deleted.length > NAMED_DELETED) {
      log.mark({ marker: 'left', source: undefined, text, isWarning: true });
      return;
    }
    for (const { index, wire } of deleted) {
      const name = `${wire.pod}/${wire.container}`;
      const said = `${name} was deleted meanwhile; its last lines may be missing`;
      log.mark({ marker: 'left', source: index, text: said, isWarning: true });
    }
  }

  #takeState(frame: Extract<LogFrame, { readonly type: 'state' }>): void {
    const log = this.#log;
    const index = this.#sources[frame.source];
    if (index === undefined) return;
    const { wire } = log.store.sources.get(index);
    if (frame.state === 'left') log.store.sources.setGone(index);
    // One frame may stand for many containers.
    const ids = [wire.id, ...(frame.otherIds ?? [])];
    // Of a right that is missing each container is told by itself, in words of its own.
    const isDenied = frame.error?.denied !== undefined;
    this.#areBack(isDenied ? [wire.id] : ids);
    if (frame.state === 'reconnecting') for (const id of ids) log.away.add(id);
    if (frame.error !== undefined) {
      // What a person may do next is for those whom nobody connects again.
      const { next: _, ...error } = frame.error;
      const said = frame.state === 'reconnecting' && error.denied === undefined ? error : frame.error;
      const isOutage = frame.state === 'reconnecting' && isClusterAway(error.code);
      for (const id of ids) {
        const key = problemOf(id);
        if (isDenied && log.problems.has(key)) continue;
        log.problems.set(key, { key, error: said, source: index, ...(isOutage ? { isOutage } : {}) });
      }
    }
    const state = `${frame.state} ${frame.detail}`;
    const isAgain = log.toldStates.get(index) === state;
    log.toldStates.set(index, state);
    const marker = markerOfState(frame, wire, index);
    // Who is there when the view opens did not join.
    const isNews = frame.state !== 'joined' || log.store.sources.get(index).isNew;
    if (marker !== undefined && isNews && !isAgain) this.#fold.mark(marker, frame, wire);
    this.#options.onChange();
  }
}

function problemOf(id: string): string {
  return `source ${id}`;
}

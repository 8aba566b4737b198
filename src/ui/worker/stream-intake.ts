import type { LogFrame } from '../../contract/log-frame.ts';
import type { WireRecord } from '../../contract/wire-record.ts';
import type { Clock } from '../../domain/clock.ts';
import { parseTimestamp } from '../../domain/timestamp.ts';
import { type HeldLog, lineOf } from './held-log.ts';
import { MarkerFold } from './marker-fold.ts';
import { markerOfGap, markerOfState } from './marker-text.ts';
import type { EndFrame } from './page-reader.ts';

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
  /** Problems of containers that are connected again and again. */
  readonly #away = new Set<string>();
  readonly #fold: MarkerFold;
  /** Records whose source was never told: the server broke its word. */
  unknown = 0;

  constructor(log: HeldLog, options: IntakeOptions) {
    this.#log = log;
    this.#options = options;
    this.#fold = new MarkerFold(log, options.clock);
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
    if (log.problems.size === 0) return;
    let isNews = false;
    for (const index of new Set(records.map(([source]) => this.#sources[source]))) {
      if (index === undefined) continue;
      if (log.problems.delete(`source ${log.store.sources.get(index).wire.id}`)) isNews = true;
    }
    if (isNews) this.#options.onChange();
  }

  #allBack(): void {
    for (const key of this.#away) this.#log.problems.delete(key);
    this.#away.clear();
  }

  #takeState(frame: Extract<LogFrame, { readonly type: 'state' }>): void {
    const log = this.#log;
    const index = this.#sources[frame.source];
    if (index === undefined) return;
    const { wire } = log.store.sources.get(index);
    if (frame.state === 'left') log.store.sources.setGone(index);
    const key = `source ${wire.id}`;
    if (frame.error !== undefined) {
      // What a person may do next is for those whom nobody connects again.
      const { next: _, ...error } = frame.error;
      const said = frame.state === 'reconnecting' && error.denied === undefined ? error : frame.error;
      log.problems.set(key, { key, error: said, source: index });
    } else log.problems.delete(key);
    // One frame stands for many that broke, and one for many that are back: they need not be told of by the same.
    if (frame.state === 'reconnecting') this.#away.add(key);
    else if (frame.state === 'reconnected' && frame.others !== undefined) this.#allBack();
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

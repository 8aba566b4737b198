import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { parseTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { WireError } from '../../../contract/error.ts';
import type { LogFrame } from '../../../contract/log-frame.ts';
import type { LogSource } from '../../../contract/log-source.ts';
import type { WireRecord } from '../../../contract/wire-record.ts';
import { logMessageOf } from '../../messages/log-message-of.ts';
import {
  markerOfDeleted,
  markerOfGap,
  markerOfNotice,
  markerOfState,
  type StateFrame,
  stateKey,
} from '../../messages/markers.ts';
import { noticeText } from '../../messages/notices.ts';
import { isLostFrame } from '../known/known-gap.ts';
import { streamProblem } from '../known/problem-keys.ts';
import { type HeldLog, lineOf } from '../store/held-log.ts';
import { isClusterAway, isNoAnswer } from './cluster-away.ts';
import { MarkerFold } from './marker-fold.ts';
import type { EndFrame } from './page-reader.ts';

type AnswersFrame = Extract<LogFrame, { readonly type: 'unanswered' | 'answered' }>;
type DeletedNotice = Extract<LogFrame, { readonly code: 'deleted-meanwhile' }>;

/** Up to this many deleted containers get a row each; for more, one row gives the number. */
const NAMED_DELETED = 3;

/** Long enough for the server to report silent containers, which it does after a second, ms. */
const REPORTED_MS = 2_000;

export interface IntakeOptions {
  readonly clock: Clock;
  /** Whether containers that arrive now joined after the view was opened. */
  readonly isOpened: () => boolean;
  readonly onEnd: (frame: EndFrame) => void;
  /** Called when sources or problems change. */
  readonly onChange: () => void;
}

/** Takes in the frames of one connection, whose source indexes start at 0. */
export class StreamIntake {
  readonly #log: HeldLog;
  readonly #options: IntakeOptions;
  readonly #sources: (number | undefined)[] = [];
  readonly #fold: MarkerFold;
  /** Containers that did not answer an earlier connection and about which this one has reported nothing yet. */
  readonly #doubted: Set<string>;
  /** Whether everything written before was read, and what is written now follows. */
  isCaughtUp = false;
  /** Records whose source the server never sent, which violates the contract. */
  unknown = 0;

  constructor(log: HeldLog, options: IntakeOptions) {
    this.#log = log;
    this.#options = options;
    this.#fold = new MarkerFold(log, options.clock);
    // A new connection reports the containers that it cannot read again.
    this.#areBack([...log.away]);
    // The server soon reports containers that still do not answer. Until then their lines do not count as new.
    this.#doubted = new Set(log.unanswered.keys());
    if (this.#doubted.size > 0)
      options.clock.after(REPORTED_MS, () => this.#answeredAfterAll([...this.#doubted]));
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
        this.#takeRecords(frame.records);
        return;
      case 'state':
        this.#takeState(frame);
        return;
      case 'gap': {
        const index = this.#sources[frame.source];
        if (index === undefined) return;
        const { wire } = log.store.sources.get(index);
        if (isLostFrame(frame)) log.noteLost(wire.id, frame);
        else log.markGap(markerOfGap(frame, wire, index), parseTimestamp(frame.from ?? frame.to ?? ''));
        this.#options.onChange();
        return;
      }
      case 'notice': {
        if (frame.code === 'source-failed') this.#takeFailed(frame.error);
        else if (frame.code === 'deleted-meanwhile') this.#takeDeleted(frame);
        else log.mark(markerOfNotice(frame));
        this.#options.onChange();
        return;
      }
      case 'unanswered':
      case 'answered':
        this.#takeAnswers(frame);
        return;
      case 'end':
        // A container is read again unless this connection has reported it.
        log.reach.regainOthers(new Set([...log.away, ...log.unanswered.keys()]));
        this.isCaughtUp = frame.live;
        this.#options.onEnd(frame);
        return;
      case 'progress':
      case 'done':
      case 'heartbeat':
      case 'closing':
        return;
      default:
        frame satisfies never;
    }
  }

  #takeRecords(records: readonly WireRecord[]): void {
    for (const record of records) {
      const line = lineOf(record, this.#sources);
      if (line === undefined) this.unknown++;
      else this.#log.arrive(line);
    }
    if (this.isCaughtUp && this.#log.reach.isShort)
      for (const index of new Set(records.map(([source]) => this.#sources[source])))
        if (index !== undefined) this.#log.reach.regain(this.#log.store.sources.get(index).wire.id);
    this.#readable(records);
  }

  #takeAnswers(frame: AnswersFrame): void {
    const log = this.#log;
    for (const source of frame.sources) {
      const index = this.#sources[source];
      if (index === undefined) continue;
      const { id } = log.store.sources.get(index).wire;
      if (frame.type === 'answered') {
        log.unanswered.delete(id);
        log.reach.regain(id);
      } else {
        const sinceMs = this.#options.clock.now() - frame.forMs;
        log.unanswered.set(id, Math.min(sinceMs, log.unanswered.get(id) ?? sinceMs));
      }
      this.#doubted.delete(id);
    }
    this.#options.onChange();
  }

  #answeredAfterAll(ids: readonly string[]): void {
    const answered = ids.filter((id) => this.#doubted.delete(id));
    for (const id of answered) {
      this.#log.unanswered.delete(id);
      this.#log.reach.regain(id);
    }
    if (answered.length > 0) this.#options.onChange();
  }

  /** Marks a container that delivers lines as readable, whatever was reported before. */
  #readable(records: readonly WireRecord[]): void {
    const log = this.#log;
    if (log.problems.size === 0 && log.away.size === 0) return;
    let isChanged = false;
    for (const index of new Set(records.map(([source]) => this.#sources[source]))) {
      if (index !== undefined && this.#areBack([log.store.sources.get(index).wire.id])) isChanged = true;
    }
    if (isChanged) this.#options.onChange();
  }

  /** Clears the problems of these containers; returns true if there were any. */
  #areBack(ids: readonly string[]): boolean {
    let isChanged = false;
    for (const id of ids) {
      if (this.#log.away.delete(id)) isChanged = true;
      if (this.#log.problems.delete(streamProblem(id))) isChanged = true;
    }
    return isChanged;
  }

  /** Reports a source argument that failed completely. */
  #takeFailed(error: WireError): void {
    const key = `notice source-failed ${logMessageOf(error).what}`;
    this.#log.problems.set(key, { key, error, source: undefined, isOfSource: true });
  }

  /** Marks containers that were deleted during a disconnection as gone, like others that leave. */
  #takeDeleted(frame: DeletedNotice): void {
    const { ids } = frame.data;
    const log = this.#log;
    const { sources } = log.store;
    const deleted = ids.flatMap((id) => sources.all.findLast(({ wire }) => wire.id === id) ?? []);
    for (const { index, owner } of deleted) {
      log.setGone(index, true);
      // Its last lines may be missing.
      owner.isCut = true;
    }
    if (deleted.length === 0 || deleted.length > NAMED_DELETED) {
      log.mark({ marker: 'left', source: undefined, text: noticeText(frame), isWarning: true });
      return;
    }
    for (const { index, wire } of deleted) {
      log.mark(markerOfDeleted(wire, index));
    }
  }

  #takeState(frame: StateFrame): void {
    const log = this.#log;
    const index = this.#sources[frame.source];
    if (index === undefined) return;
    const { wire } = log.store.sources.get(index);
    if (frame.state === 'left' || frame.state === 'joined') log.setGone(index, frame.state === 'left');
    // One frame may represent several containers.
    const ids = [wire.id, ...(frame.otherIds ?? [])];
    // Each container without permission gets its own frame.
    this.#areBack('error' in frame && frame.error.denied !== undefined ? [wire.id] : ids);
    const isSilent =
      frame.state === 'reconnecting' && log.unanswered.has(wire.id) && isNoAnswer(frame.error.code);
    // The request is abandoned and retried; this does not count as an answer from the cluster.
    if (isSilent) return;
    for (const id of ids) log.unanswered.delete(id);
    // A refusal counts as an answer.
    const isCut = frame.state === 'reconnecting' && frame.error.denied === undefined;
    if (isCut) for (const id of ids) log.away.add(id);
    this.#noteReach(frame, ids);
    this.#setProblems(frame, ids, index);
    this.#markState(frame, wire, index);
    this.#options.onChange();
  }

  /** Notes since when containers are not read, or that they are. */
  #noteReach({ state }: StateFrame, ids: readonly string[]): void {
    const { reach } = this.#log;
    for (const id of ids)
      if (state === 'reconnecting') reach.lose(id, this.#options.clock.now());
      else reach.regain(id);
  }

  #setProblems(frame: StateFrame, ids: readonly string[], source: number): void {
    if (!('error' in frame)) return;
    const { problems } = this.#log;
    const isDenied = frame.error.denied !== undefined;
    const isReconnecting = frame.state === 'reconnecting';
    const { error } = frame;
    const isOutage = isReconnecting && isClusterAway(error.code);
    const flags = {
      ...(isOutage ? { isOutage } : {}),
      ...(isReconnecting && !isDenied ? { isRetried: true } : {}),
    };
    for (const id of ids) {
      const key = streamProblem(id);
      if (isDenied && problems.has(key)) continue;
      problems.set(key, { key, error, source, ...flags });
    }
  }

  #markState(frame: StateFrame, wire: LogSource, index: number): void {
    const log = this.#log;
    const state = stateKey(frame);
    const isAgain = log.lastStates.get(index) === state;
    log.lastStates.set(index, state);
    const marker = markerOfState(frame, wire, index);
    // A container that exists when the view opens did not join.
    const isChange = frame.state !== 'joined' || log.store.sources.get(index).isNew;
    if (marker !== undefined && isChange && !isAgain) this.#fold.mark(marker, frame, wire);
  }
}

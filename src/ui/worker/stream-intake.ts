import type { LogFrame } from '../../contract/log-frame.ts';
import { parseTimestamp } from '../../domain/timestamp.ts';
import { type HeldLog, lineOf } from './held-log.ts';
import { markerOfGap, markerOfState } from './marker-text.ts';
import type { EndFrame } from './page-reader.ts';

export interface IntakeOptions {
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
  /** Records whose source was never told: the server broke its word. */
  unknown = 0;

  constructor(log: HeldLog, options: IntakeOptions) {
    this.#log = log;
    this.#options = options;
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

  #takeState(frame: Extract<LogFrame, { readonly type: 'state' }>): void {
    const log = this.#log;
    const index = this.#sources[frame.source];
    if (index === undefined) return;
    const { wire } = log.store.sources.get(index);
    if (frame.state === 'left') log.store.sources.setGone(index);
    const key = `source ${wire.id}`;
    if (frame.error !== undefined) log.problems.set(key, { key, error: frame.error, source: index });
    else log.problems.delete(key);
    const state = `${frame.state} ${frame.detail}`;
    const isAgain = log.toldStates.get(index) === state;
    log.toldStates.set(index, state);
    const marker = markerOfState(frame, wire, index);
    // Who is there when the view opens did not join.
    const isNews = frame.state !== 'joined' || log.store.sources.get(index).isNew;
    if (marker !== undefined && isNews && !isAgain) log.mark(marker);
    this.#options.onChange();
  }
}

import type { LineMatcher } from '../../../domain/search/line-matcher.ts';
import type { LineStore } from '../store/line-store.ts';
import { ChunkScan, verdictOf } from './chunk-scan.ts';

/** Longest work without checking for messages, ms. */
const SLICE_MS = 6;
/** Time between two reports during a search, ms. */
const REPORT_INTERVAL_MS = 80;

/** Decides for each held line whether it matches, newest first and in slices; decides new lines as they arrive. */
export class Judge {
  readonly #store: LineStore;
  readonly #column: 'searched' | 'fielded';
  readonly #onStart: () => void;
  readonly #onProgress: () => void;
  readonly #turns = new Turns();
  #run = 0;
  #waiting: (() => void)[] = [];
  isRunning = false;

  constructor(store: LineStore, column: 'searched' | 'fielded', onStart: () => void, onProgress: () => void) {
    this.#onStart = onStart;
    this.#store = store;
    this.#column = column;
    this.#onProgress = onProgress;
  }

  start(matcher: LineMatcher): void {
    const run = this.#clear();
    this.#store.judge[this.#column === 'searched' ? 'search' : 'fields'] = (line) => verdictOf(matcher, line);
    this.isRunning = true;
    this.#store.judged[this.#column] = this.#store.table.nextId;
    const work = this.#work(matcher);
    let reportedAt = performance.now();
    const slice = () => {
      if (run !== this.#run) return;
      const began = performance.now();
      let isDone = false;
      while (!isDone && performance.now() - began < SLICE_MS) isDone = work.next().done === true;
      if (isDone) return this.#finish();
      if (performance.now() - reportedAt > REPORT_INTERVAL_MS) {
        reportedAt = performance.now();
        this.#onProgress();
      }
      this.#turns.next(slice);
    };
    this.#turns.next(slice);
  }

  stop(): void {
    this.#clear();
    delete this.#store.judge[this.#column === 'searched' ? 'search' : 'fields'];
    this.#settle();
    this.#turns.close();
  }

  settled(): Promise<void> {
    return this.isRunning ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve();
  }

  #clear(): number {
    this.isRunning = false;
    this.#store.judged[this.#column] = 0;
    this.#store.table.clearVerdicts(this.#column);
    this.#onStart();
    return ++this.#run;
  }

  #finish(): void {
    this.isRunning = false;
    this.#store.judged[this.#column] = 0;
    this.#turns.close();
    this.#onProgress();
    this.#settle();
  }

  #settle(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  *#work(matcher: LineMatcher): Generator<void, void, undefined> {
    const scan = new ChunkScan(this.#store, matcher, this.#column);
    for (const { number } of this.#store.arena.chunks().toReversed()) {
      // The chunk may be evicted by now.
      const chunk = this.#store.arena.chunk(number);
      if (chunk !== undefined) {
        yield* scan.scan(chunk);
        this.#store.judged[this.#column] = chunk.firstId;
      }
      yield;
    }
  }
}

/**
 * Continues after waiting messages were handled: a macrotask. Timers would do the same but wait four milliseconds after
 * a few calls (HTML, 8.6). A port is closed when no work is left.
 */
class Turns {
  #channel: MessageChannel | undefined;

  next(work: () => void): void {
    this.#channel ??= new MessageChannel();
    this.#channel.port1.onmessage = work;
    this.#channel.port2.postMessage(undefined);
  }

  close(): void {
    this.#channel?.port1.close();
    this.#channel = undefined;
  }
}

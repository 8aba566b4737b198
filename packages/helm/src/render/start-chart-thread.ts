import type { Worker } from 'node:worker_threads';
import {
  type CompiledScript,
  compiledScript,
  startCompiledThread,
  startThread,
} from '@logtool/kube/src/thread/start-thread.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { Chart } from '../chart/chart.ts';
import type { ChartStep } from '../failures.ts';
import { CHART_LIMITS, type ChartLimits, tooMuchMemory, tooMuchTime } from './chart-limits.ts';
import type { ChartWork, RenderedRelease } from './chart-work.ts';
import type { Lookup, LookupQuery } from './lookup.ts';
import { restoreIntegers } from './restore-integers.ts';
import { unpackError } from './thread-error.ts';
import type { FromThread, Task, ToThread } from './thread-messages.ts';

/** Interval between measurements of the process's memory. */
const EVERY_MS = 50;
const BYTES_PER_MIB = 2 ** 20;

export interface ChartThreadOptions {
  readonly clock: Clock;
  /** Ends the thread and rejects everything that waits for it. */
  readonly signal?: AbortSignal | undefined;
  readonly limits?: ChartLimits;
  /** The result of `compiled` in an earlier run; an undefined `known` means none yet. Omitted: compile each time. */
  readonly compiled?: { readonly known: CompiledScript | undefined } | undefined;
}

/** Work on charts in a separate thread. */
export interface ChartThread extends ChartWork {
  /** Returns the compiled script for the next run; undefined if there is nothing new. */
  compiled(): Promise<CompiledScript | undefined>;
  /** Ends the thread, whatever it does. */
  close(): void;
}

/**
 * Starts the thread that works on charts, so that no chart can keep the program from handling signals. Work that takes
 * too much time or memory ends with a CodedError `chart-limit`. Call `close` when it is no longer needed.
 */
export function startChartThread(options: ChartThreadOptions): ChartThread {
  return new RunningThread(options);
}

/** A running task of the thread. */
interface Running {
  readonly lookup: Lookup | undefined;
  step: ChartStep;
  /** The remaining time of the task. */
  leftMs: number;
  sinceMs: number;
  cancelTimer(): void;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

class RunningThread implements ChartThread {
  readonly #options: ChartThreadOptions;
  readonly #limits: ChartLimits;
  readonly #thread: Worker;
  readonly #running = new Map<number, Running>();
  readonly #onAbort = () => this.#end(this.#options.signal?.reason);
  #stopWatching = () => {};
  #lastId = 0;
  /** The reason why the thread accepts no more work. */
  #ended: { readonly reason: unknown } | undefined;

  constructor(options: ChartThreadOptions) {
    this.#options = options;
    this.#limits = options.limits ?? CHART_LIMITS;
    const { heapMiB } = this.#limits;
    const { compiled } = options;
    this.#thread =
      compiled === undefined
        ? startThread('chart', { heapMiB })
        : startCompiledThread('chart', compiled.known, { heapMiB });
    this.#thread
      .on('message', (message: FromThread) => this.#take(message))
      .on('error', (error: NodeJS.ErrnoException) => this.#end(this.#explain(error)))
      .on('exit', () => this.#end(new Error('the thread that works on charts has ended')));
    // The timer of a task keeps the process alive.
    this.#thread.unref();
    const { signal } = options;
    if (signal?.aborted === true) this.#onAbort();
    else signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  load(path: string): Promise<Chart> {
    return this.#ask({ kind: 'load', path }, 'load-chart') as Promise<Chart>;
  }

  unpack(archive: Uint8Array): Promise<Chart> {
    return this.#ask({ kind: 'unpack', archive }, 'load-chart') as Promise<Chart>;
  }

  readObjects(manifest: string): ReturnType<ChartWork['readObjects']> {
    return this.#ask({ kind: 'readObjects', manifest }, 'read-crds') as ReturnType<ChartWork['readObjects']>;
  }

  render(...[input, lookup]: Parameters<ChartWork['render']>): Promise<RenderedRelease> {
    return this.#ask({ kind: 'render', input }, 'render-chart', lookup) as Promise<RenderedRelease>;
  }

  async compiled(): Promise<CompiledScript | undefined> {
    return this.#options.compiled === undefined ? undefined : compiledScript(this.#thread);
  }

  close(): void {
    this.#end(new Error('the thread that works on charts was closed'));
  }

  #ask(task: Task, step: ChartStep, lookup?: Lookup): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) {
        reject(this.#ended.reason);
        return;
      }
      const id = ++this.#lastId;
      this.#post({ id, kind: 'task', task });
      const { timeMs } = this.#limits;
      const running: Running = {
        lookup,
        step,
        leftMs: timeMs,
        sinceMs: 0,
        resolve,
        reject,
        cancelTimer: () => undefined,
      };
      this.#running.set(id, running);
      if (this.#running.size === 1) this.#watch();
      this.#startTimer(running);
    });
  }

  #post(message: ToThread): void {
    this.#thread.postMessage(message);
  }

  #take(message: FromThread): void {
    const running = this.#running.get(message.id);
    if (running === undefined) return;
    switch (message.kind) {
      case 'step':
        running.step = message.step;
        return;
      case 'lookup':
        this.#stopTimer(running);
        void this.#answerLookup(message.id, running, message.query);
        return;
      case 'done':
        this.#leave(message.id, running);
        running.resolve(restoreIntegers(message.result));
        return;
      case 'failed':
        this.#leave(message.id, running);
        running.reject(unpackError(message.error));
        return;
      default:
        message satisfies never;
    }
  }

  async #answerLookup(id: number, running: Running, query: LookupQuery): Promise<void> {
    let answer: ToThread;
    try {
      answer = { id, kind: 'found', value: (await running.lookup?.(query)) ?? new Map() };
    } catch (error) {
      answer = { id, kind: 'not-found', message: error instanceof Error ? error.message : String(error) };
    }
    if (this.#ended !== undefined) return;
    this.#startTimer(running);
    this.#post(answer);
  }

  #startTimer(running: Running): void {
    const { clock } = this.#options;
    running.sinceMs = clock.steady();
    running.cancelTimer = clock.after(running.leftMs, () =>
      this.#end(tooMuchTime(running.step, this.#limits.timeMs)),
    );
  }

  #stopTimer(running: Running): void {
    running.cancelTimer();
    running.leftMs -= this.#options.clock.steady() - running.sinceMs;
  }

  #watch(): void {
    const { growthMiB } = this.#limits;
    this.#stopWatching = watchGrowth(growthMiB, () => this.#end(tooMuchMemory(this.#step(), growthMiB)));
  }

  #leave(id: number, running: Running): void {
    running.cancelTimer();
    this.#running.delete(id);
    if (this.#running.size === 0) this.#stopWatching();
  }

  #explain(error: NodeJS.ErrnoException): unknown {
    const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    return isMemory ? tooMuchMemory(this.#step(), this.#limits.heapMiB) : error;
  }

  /** Returns the current step. */
  #step(): ChartStep {
    return [...this.#running.values()].at(-1)?.step ?? 'work';
  }

  #end(reason: unknown): void {
    if (this.#ended !== undefined) return;
    this.#ended = { reason };
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    // Not awaited: the thread may be in a call that cannot be interrupted.
    void this.#thread.terminate();
    for (const [id, running] of [...this.#running]) {
      this.#leave(id, running);
      running.reject(reason);
    }
  }
}

/**
 * Calls back once the process has grown by more than `growthMiB` since the call; the returned function stops watching.
 * The timer does not keep the process alive.
 */
function watchGrowth(
  growthMiB: number,
  onTooMuch: () => void,
  residentBytes: () => number = process.memoryUsage.rss,
): () => void {
  const limitBytes = residentBytes() + growthMiB * BYTES_PER_MIB;
  const timer = setInterval(() => {
    if (residentBytes() <= limitBytes) return;
    clearInterval(timer);
    onTooMuch();
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

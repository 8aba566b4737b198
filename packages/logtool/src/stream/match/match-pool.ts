import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { startThread } from '@logtool/kube/src/thread/start-thread.ts';
import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { filterFailure } from '../../domain/patterns/filter-failures.ts';
import type { MatchAnswer, MatchRequest, Messages, PatternSet } from './match-messages.ts';

/** Threads that match for all users; one processor stays free for everything else. */
const MAX_THREADS = Math.max(1, Math.min(2, availableParallelism() - 1));
/** Limit of a thread's heap in MiB. */
const HEAP_MIB = 192;
/** A canceled job may end by itself within this time; then its thread is ended. */
const CANCEL_MS = 50;
/** Maximum time of a job, after which its thread is ended. One job takes a second at worst (MAX_JOB_WORK). */
const MAX_JOB_MS = 20_000;
/** An idle thread is ended after this time. */
const IDLE_MS = 30_000;

interface Job {
  readonly number: number;
  readonly person: string;
  readonly id: number;
  readonly set: PatternSet;
  readonly messages: Messages | undefined;
  readonly resolve: (answer: MatchAnswer) => void;
  readonly reject: (error: unknown) => void;
}

/** A slot for one thread, which starts when it has work. */
interface Slot {
  thread: Worker | undefined;
  /** Pattern sets that the thread has. */
  readonly known: Set<number>;
  job: Job | undefined;
  timer: NodeJS.Timeout | undefined;
}

/** Starts a thread of the pool; tests replace it. */
type StartMatchThread = () => Worker;

/**
 * Threads that test messages against patterns. Jobs are short. Each person with jobs gets the next free thread in turn,
 * so that many jobs of one person delay those of others by one job at most. Any running job can be ended.
 */
export class MatchPool {
  readonly #slots: readonly Slot[];
  readonly #start: StartMatchThread;
  /** Waiting jobs, by person; the first person is next. */
  readonly #waiting = new Map<string, Job[]>();
  #jobs = 0;
  #sets = 0;

  constructor(
    threads = MAX_THREADS,
    start: StartMatchThread = () => startThread('match', { heapMiB: HEAP_MIB }),
  ) {
    this.#slots = Array.from({ length: threads }, () => ({
      thread: undefined,
      known: new Set<number>(),
      job: undefined,
      timer: undefined,
    }));
    this.#start = start;
  }

  /** Returns a number for a set of patterns. */
  newSet(): number {
    return ++this.#sets;
  }

  /**
   * Returns which messages pass a set; without messages, only compiles it. Rejects with the signal's reason as soon as
   * that is aborted, with usage errors of the patterns, and with `match-failed`.
   */
  run(
    { id, set, person }: { readonly id: number; readonly set: PatternSet; readonly person: string },
    messages: Messages | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Uint8Array | undefined> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(signal.reason);
        return;
      }
      const onAbort = () => {
        this.#cancel(job);
        reject(signal?.reason);
      };
      const job: Job = {
        number: ++this.#jobs,
        person,
        id,
        set,
        messages,
        resolve: ({ passed, error }) => {
          signal?.removeEventListener('abort', onAbort);
          if (error === undefined) resolve(passed);
          else reject(new CodedError(error.code, error.data, { exit: error.exit }));
        },
        reject: (error) => {
          signal?.removeEventListener('abort', onAbort);
          reject(error);
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      const waiting = this.#waiting.get(person);
      if (waiting === undefined) this.#waiting.set(person, [job]);
      else waiting.push(job);
      this.#fill();
    });
  }

  /** Releases a set. */
  forget(id: number): void {
    for (const { thread, known } of this.#slots) {
      if (known.delete(id)) thread?.postMessage({ type: 'forget', id } satisfies MatchRequest);
    }
  }

  /** Gives free threads work. */
  #fill(): void {
    for (const slot of this.#slots) {
      if (slot.job !== undefined) continue;
      const job = this.#next();
      if (job === undefined) return;
      this.#give(slot, job);
    }
  }

  #next(): Job | undefined {
    for (const [person, jobs] of this.#waiting) {
      const job = jobs.shift();
      // Moves the person to the end of the queue.
      this.#waiting.delete(person);
      if (jobs.length > 0) this.#waiting.set(person, jobs);
      if (job !== undefined) return job;
    }
    return undefined;
  }

  #give(slot: Slot, job: Job): void {
    clearTimeout(slot.timer);
    slot.job = job;
    slot.timer = setTimeout(() => this.#break(slot, tooSlow()), MAX_JOB_MS);
    try {
      const thread = slot.thread ?? this.#startIn(slot);
      thread.ref();
      const { number, id, messages } = job;
      const set = slot.known.has(id) ? undefined : job.set;
      slot.known.add(id);
      const request: MatchRequest = { type: 'job', job: number, id, set, messages };
      const moved = messages === undefined ? [] : [messages.bytes.buffer, messages.ends.buffer];
      thread.postMessage(request, moved);
    } catch (error) {
      this.#break(slot, error);
    }
  }

  #startIn(slot: Slot): Worker {
    const thread = this.#start();
    slot.thread = thread;
    const isCurrent = () => slot.thread === thread;
    thread.on('message', (answer: MatchAnswer) => {
      const { job } = slot;
      if (!isCurrent() || job?.number !== answer.job) return;
      this.#rest(slot);
      job.resolve(answer);
      this.#fill();
    });
    thread.on('error', (error) => {
      if (isCurrent()) this.#break(slot, failed(error));
    });
    thread.on('exit', () => {
      if (isCurrent()) this.#break(slot, filterFailure('match-failed', { reason: 'ended' }));
    });
    return thread;
  }

  #rest(slot: Slot): void {
    clearTimeout(slot.timer);
    slot.job = undefined;
    // An idle thread must not keep the process running.
    slot.thread?.unref();
    slot.timer = setTimeout(() => this.#end(slot), IDLE_MS);
    slot.timer.unref();
  }

  #cancel(job: Job): void {
    const jobs = this.#waiting.get(job.person) ?? [];
    const index = jobs.indexOf(job);
    if (index !== -1) {
      jobs.splice(index, 1);
      if (jobs.length === 0) this.#waiting.delete(job.person);
      return;
    }
    const slot = this.#slots.find((one) => one.job === job);
    if (slot === undefined) return;
    clearTimeout(slot.timer);
    slot.timer = setTimeout(() => this.#break(slot, undefined), CANCEL_MS);
  }

  /** Ends a thread in the middle of its job. */
  #break(slot: Slot, error: unknown): void {
    const { job } = slot;
    this.#end(slot);
    job?.reject(error);
    this.#fill();
  }

  #end(slot: Slot): void {
    clearTimeout(slot.timer);
    const { thread } = slot;
    slot.thread = undefined;
    slot.job = undefined;
    slot.known.clear();
    void thread?.terminate();
  }
}

function failed(error: Error): CodedError {
  const isMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return filterFailure(
    'match-failed',
    isMemory ? { reason: 'memory', limitMib: HEAP_MIB } : { reason: 'error', why: error.message },
    { cause: error },
  );
}

function tooSlow(): CodedError {
  return filterFailure('match-too-slow', { limitMs: MAX_JOB_MS });
}

import { type Limits, PAGE_LIMITS } from '../protocol/limits.ts';
import type { FromWorker, ToWorker } from '../protocol/protocol.ts';

type Answer = Extract<FromWorker, { readonly request: number }>;
type Question = Extract<ToWorker, { readonly request: number }>;
/** A question without its number, which is assigned here. */
export type Ask = Question extends infer Q ? (Q extends Question ? Omit<Q, 'request'> : never) : never;

/** The answer type of each question. */
interface AnswerTypes {
  readonly rows: 'rows';
  readonly jump: 'jumped';
  readonly find: 'found';
  readonly 'find-fact': 'found';
  readonly 'show-match': 'found';
  readonly text: 'text';
  readonly pins: 'pinned';
  readonly range: 'range';
  readonly all: 'range';
  readonly whole: 'range';
  readonly histogram: 'histogram';
}
export type AnswerTo<T extends keyof AnswerTypes> = Extract<FromWorker, { readonly type: AnswerTypes[T] }>;
type Reported = Exclude<FromWorker, Answer>;

export interface LogWorkerOptions {
  /** Where the server is mounted, without a trailing slash. */
  readonly basePath: string;
  /** The page token. */
  readonly token: string;
  readonly limits?: Limits;
  /** Called when the worker failed: it sends nothing more. */
  readonly onFailure?: (error: Error) => void;
  /** Starts the worker; tests replace it. */
  readonly spawn?: () => WorkerPort;
}

/** The part of Worker that is used. */
export interface WorkerPort {
  postMessage(message: ToWorker): void;
  addEventListener(type: 'message', listener: (event: { readonly data: FromWorker }) => void): void;
  addEventListener(type: 'error', listener: (event: { readonly message?: string }) => void): void;
  terminate(): void;
}

export interface LogWorker {
  send(message: Exclude<ToWorker, Question>): void;
  /** Resolves with the answer to this question; rejects when the worker fails or is closed first. */
  ask<M extends Ask>(message: M): Promise<AnswerTo<M['type']>>;
  /** Calls back with each message of that type; the returned function ends the subscription. */
  subscribe<T extends Reported['type']>(
    type: T,
    listener: (message: Extract<Reported, { readonly type: T }>) => void,
  ): () => void;
  close(): void;
}

/** Why a question got no answer: its worker failed, which the page reports, or was closed with its console. */
export class WorkerGoneError extends Error {}

/** Ignores WorkerGoneError for requests whose answer is of no use once the worker is gone. */
export function unlessGone(asked: Promise<unknown>): void {
  asked.catch((error: unknown) => {
    if (!(error instanceof WorkerGoneError)) throw error;
  });
}

/** Creates the page's end of its log worker, one per console. `close` ends the worker and its connection. */
export function createLogWorker(options: LogWorkerOptions): LogWorker {
  const worker = (options.spawn ?? spawnWorker)();
  const waiting = new Map<number, { resolve(answer: never): void; reject(reason: Error): void }>();
  const listeners = new Map<string, Set<(message: never) => void>>();
  let asked = 0;
  let failure: Error | undefined;

  const fail = (reason: Error) => {
    failure ??= reason;
    for (const { reject } of waiting.values()) reject(failure);
    waiting.clear();
  };

  worker.addEventListener('message', ({ data }) => {
    if ('request' in data) {
      waiting.get(data.request)?.resolve(data as never);
      waiting.delete(data.request);
      return;
    }
    for (const listener of listeners.get(data.type) ?? []) listener(data as never);
  });
  worker.addEventListener('error', (event) => {
    const error = new WorkerGoneError(
      `The log worker failed: ${event.message ?? 'the browser could not load it'}`,
    );
    fail(error);
    options.onFailure?.(error);
  });
  const { basePath, token, limits = PAGE_LIMITS } = options;
  worker.postMessage({ type: 'start', basePath, token, limits });

  return {
    send: (message) => worker.postMessage(message),
    ask: (message) =>
      new Promise((resolve, reject) => {
        if (failure !== undefined) return reject(failure);
        const request = ++asked;
        waiting.set(request, { resolve, reject });
        worker.postMessage({ ...message, request } as Question);
      }),
    subscribe(type, listener) {
      const subscribed = listeners.get(type) ?? new Set();
      listeners.set(type, subscribed);
      subscribed.add(listener);
      return () => subscribed.delete(listener);
    },

    close() {
      fail(new WorkerGoneError('The log worker is closed'));
      worker.postMessage({ type: 'close' });
      worker.terminate();
    },
  };
}

/** A worker that was started ahead of time and is not used yet. */
let spare: WorkerPort | undefined;

/** Starts a worker that the next console takes over, at most one at a time. */
export function warmLogWorker(): void {
  if (spare !== undefined) return;
  const worker = startWorker();
  spare = worker;
  // The next caller starts its own worker and receives its error.
  worker.addEventListener('error', () => {
    if (spare === worker) spare = undefined;
  });
}

function spawnWorker(): WorkerPort {
  const worker = spare ?? startWorker();
  spare = undefined;
  return worker;
}

function startWorker(): WorkerPort {
  return new Worker(new URL('./main.ts', import.meta.url), { type: 'module', name: 'logs' });
}

import type { ChartStep } from '../failures.ts';
import type { ValueMap } from '../value/value.ts';
import type { ReleaseInput } from './chart-work.ts';
import type { LookupQuery } from './lookup.ts';
import type { ThreadError } from './thread-error.ts';

/** A piece of work for the thread of charts. */
export type Task =
  | { readonly kind: 'load'; readonly path: string }
  | { readonly kind: 'unpack'; readonly archive: Uint8Array }
  | { readonly kind: 'readObjects'; readonly manifest: string }
  | { readonly kind: 'render'; readonly input: ReleaseInput };

/** What the thread is given: a task, or what a template looked up. `id`: of the task that it belongs to. */
export type ToThread =
  | { readonly id: number; readonly kind: 'task'; readonly task: Task }
  | { readonly id: number; readonly kind: 'found'; readonly value: ValueMap }
  | { readonly id: number; readonly kind: 'not-found'; readonly message: string };

/** What the thread reports of a task. After `lookup` it waits for `found` or `not-found`. */
export type FromThread =
  | { readonly id: number; readonly kind: 'step'; readonly step: ChartStep }
  | { readonly id: number; readonly kind: 'lookup'; readonly query: LookupQuery }
  | { readonly id: number; readonly kind: 'done'; readonly result: unknown }
  | { readonly id: number; readonly kind: 'failed'; readonly error: ThreadError };

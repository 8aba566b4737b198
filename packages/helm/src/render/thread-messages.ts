import type { ChartStep } from '../failures.ts';
import type { ValueMap } from '../value/value.ts';
import type { ReleaseInput } from './chart-work.ts';
import type { LookupQuery } from './lookup.ts';
import type { ThreadError } from './thread-error.ts';

/** A task for the chart thread. */
export type Task =
  | { readonly kind: 'load'; readonly path: string }
  | { readonly kind: 'unpack'; readonly archive: Uint8Array }
  | { readonly kind: 'readObjects'; readonly manifest: string }
  | { readonly kind: 'render'; readonly input: ReleaseInput };

/** A message to the thread: a task, or the result of a template's lookup. `id`: the task's. */
export type ToThread =
  | { readonly id: number; readonly kind: 'task'; readonly task: Task }
  | { readonly id: number; readonly kind: 'found'; readonly value: ValueMap }
  | { readonly id: number; readonly kind: 'not-found'; readonly message: string };

/** A message from the thread about a task. After `lookup` it waits for `found` or `not-found`. */
export type FromThread =
  | { readonly id: number; readonly kind: 'step'; readonly step: ChartStep }
  | { readonly id: number; readonly kind: 'lookup'; readonly query: LookupQuery }
  | { readonly id: number; readonly kind: 'done'; readonly result: unknown }
  | { readonly id: number; readonly kind: 'failed'; readonly error: ThreadError };

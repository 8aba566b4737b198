import type { Value } from '../value/value.ts';
import type { Budget } from './budget.ts';
import type { FunctionTable } from './function.ts';

/** The common state of all templates of one rendering. */
export interface Engine {
  readonly functions: FunctionTable;
  readonly budget: Budget;
  readonly nowMs: number;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly lookup: (apiVersion: string, kind: string, namespace: string, name: string) => Value;
  /** The current `include` depth of each template, by name. */
  readonly included: Map<string, number>;
  /** The number and total length of the `tpl` texts that are running, one inside another. */
  readonly tpl: { count: number; characters: number };
}

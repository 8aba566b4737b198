import type { Value } from '../value/value.ts';
import type { Budget } from './budget.ts';
import type { FunctionTable } from './function.ts';

/** What all templates of one rendering have in common. */
export interface Engine {
  readonly functions: FunctionTable;
  readonly budget: Budget;
  readonly nowMs: number;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly lookup: (apiVersion: string, kind: string, namespace: string, name: string) => Value;
  /** How deep in `include` each template is, by its name. */
  readonly included: Map<string, number>;
  /** The texts of all `tpl` that are being run, one inside of another. */
  readonly tpl: { count: number; characters: number };
}

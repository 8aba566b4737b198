import type { FunctionTable } from '../../template/function.ts';
import { DICT_FUNCTIONS } from './dicts.ts';
import { FLOW_FUNCTIONS } from './flow.ts';
import { LIST_FUNCTIONS } from './lists.ts';
import { NUMBER_FUNCTIONS } from './numbers.ts';
import { REFLECTION_FUNCTIONS } from './reflection.ts';
import { STRING_FUNCTIONS } from './strings.ts';

/** Sprig's functions, as far as Helm keeps them (http://masterminds.github.io/sprig/). */
export const SPRIG_FUNCTIONS: FunctionTable = new Map([
  ...STRING_FUNCTIONS,
  ...LIST_FUNCTIONS,
  ...DICT_FUNCTIONS,
  ...FLOW_FUNCTIONS,
  ...NUMBER_FUNCTIONS,
  ...REFLECTION_FUNCTIONS,
]);

import type { FunctionTable } from '../template/function.ts';
import { GO_FUNCTIONS } from './go/table.ts';
import { HELM_FUNCTIONS } from './helm/table.ts';
import { SPRIG_FUNCTIONS } from './sprig/table.ts';

/** Every function that a template can call. */
export const FUNCTIONS: FunctionTable = new Map([...GO_FUNCTIONS, ...SPRIG_FUNCTIONS, ...HELM_FUNCTIONS]);

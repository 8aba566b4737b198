import { type FunctionTable, type GoFunction, goFunction } from '../../template/function.ts';
import { goTypeOf, kindOf } from '../../value/type.ts';
import { deepEqual } from './collection/deep-equal.ts';

/** Sprig's type functions: http://masterminds.github.io/sprig/reflection.html */
export const REFLECTION_FUNCTIONS: FunctionTable = new Map<string, GoFunction>([
  ['typeOf', goFunction(['interface {}'], 'string', (_call, value) => goTypeOf(value))],
  [
    'typeIs',
    goFunction(['string', 'interface {}'], 'bool', (_call, type, value) => type === goTypeOf(value)),
  ],
  [
    'typeIsLike',
    goFunction(['string', 'interface {}'], 'bool', (_call, type, value) =>
      [type, `*${type}`].includes(goTypeOf(value)),
    ),
  ],
  ['kindOf', goFunction(['interface {}'], 'string', (_call, value) => kindOf(value))],
  ['kindIs', goFunction(['string', 'interface {}'], 'bool', (_call, kind, value) => kind === kindOf(value))],
  ['deepEqual', goFunction(['interface {}', 'interface {}'], 'bool', (_call, a, b) => deepEqual(a, b))],
]);

import { GoError } from '../../template/errors.ts';
import { type FunctionTable, type GoFunction, goFunction, goVariadic } from '../../template/function.ts';
import { boxed } from '../../template/held.ts';
import { isTrue } from '../../value/truth.ts';
import type { Value } from '../../value/value.ts';

/** Sprig's `empty`: whether `if` treats a value as false. */
export function isEmpty(value: Value): boolean {
  return !isTrue(value);
}

const DEFAULT = goVariadic(['interface {}'], 'interface {}', 'interface {}', (_call, otherwise, ...given) => {
  const [value = null] = given;
  return boxed(isEmpty(value) ? otherwise : value);
});

/** Sprig's default and choice functions: http://masterminds.github.io/sprig/defaults.html */
export const FLOW_FUNCTIONS: FunctionTable = new Map<string, GoFunction>([
  ['default', DEFAULT],
  ['empty', goFunction(['interface {}'], 'bool', (_call, value) => isEmpty(value))],
  [
    'coalesce',
    goVariadic([], 'interface {}', 'interface {}', (_call, ...values) =>
      boxed(values.find((value) => !isEmpty(value)) ?? null),
    ),
  ],
  ['all', goVariadic([], 'interface {}', 'bool', (_call, ...values) => !values.some(isEmpty))],
  ['any', goVariadic([], 'interface {}', 'bool', (_call, ...values) => !values.every(isEmpty))],
  [
    'ternary',
    goFunction(['interface {}', 'interface {}', 'bool'], 'interface {}', (_call, yes, no, choice) =>
      boxed(choice ? yes : no),
    ),
  ],
]);

/** Returns Go's panic for a failed type assertion. */
export function assertionError(actual: string, wanted: string): GoError {
  return new GoError(
    actual === '<nil>'
      ? `interface conversion: interface {} is nil, not ${wanted}`
      : `interface conversion: interface {} is ${actual}, not ${wanted}`,
  );
}

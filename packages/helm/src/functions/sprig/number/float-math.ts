import { type FunctionTable, type GoFunction, goFunction, goVariadic } from '../../../template/function.ts';
import { toFloat64 } from './cast.ts';
import { type Decimal, decimalOf, minus, over, plus, times, toNumber } from './decimal.ts';

type Operation = (a: Decimal, b: Decimal) => Decimal;

const from = (operate: Operation): GoFunction =>
  goVariadic(['interface {}'], 'interface {}', 'float64', (call, first, ...values) => {
    call.charge(values.length * 32);
    return toNumber(
      values.map((value) => decimalOf(toFloat64(value))).reduce(operate, decimalOf(toFloat64(first))),
    );
  });

/** Sprig's decimal functions, exact except for division: http://masterminds.github.io/sprig/mathf.html */
export const FLOAT_MATH_FUNCTIONS: FunctionTable = new Map<string, GoFunction>([
  [
    'add1f',
    goFunction(['interface {}'], 'float64', (_call, value) =>
      toNumber(plus(decimalOf(toFloat64(value)), decimalOf(1))),
    ),
  ],
  [
    'addf',
    goVariadic([], 'interface {}', 'float64', (_call, ...values) =>
      toNumber(values.map((value) => decimalOf(toFloat64(value))).reduce(plus, decimalOf(0))),
    ),
  ],
  ['subf', from(minus)],
  ['mulf', from(times)],
  ['divf', from(over)],
]);

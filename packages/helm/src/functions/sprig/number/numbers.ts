import { GoError } from '../../../template/errors.ts';
import { type FunctionTable, type GoFunction, goFunction, goVariadic } from '../../../template/function.ts';
import { sprint } from '../../../value/print.ts';
import { typed } from '../../../value/type.ts';
import { GoInt, type Value } from '../../../value/value.ts';
import { toFloat64, toInt, toInt64 } from './cast.ts';

const int64 = (value: bigint) => new GoInt(BigInt.asIntN(64, value), 'int64');

/** Makes an integer operation on any number of values. */
const folded = (start: bigint, fold: (a: bigint, b: bigint) => bigint) =>
  goVariadic([], 'interface {}', 'int64', (_call, ...values) =>
    int64(values.map(toInt64).reduce((sum, value) => BigInt.asIntN(64, fold(sum, value)), start)),
  );
const foldedFrom = (fold: (a: bigint, b: bigint) => bigint) =>
  goVariadic(['interface {}'], 'interface {}', 'int64', (_call, first, ...values) =>
    int64(values.map(toInt64).reduce((sum, value) => BigInt.asIntN(64, fold(sum, value)), toInt64(first))),
  );
const binary = (operate: (a: bigint, b: bigint) => bigint) =>
  goFunction(['interface {}', 'interface {}'], 'int64', (_call, a, b) =>
    int64(operate(toInt64(a), toInt64(b))),
  );
const divided = (operate: (a: bigint, b: bigint) => bigint) =>
  binary((a, b) => {
    if (b === 0n) throw new GoError('runtime error: integer divide by zero');
    return operate(a, b);
  });

const float = (change: (value: number) => number) =>
  goFunction(['interface {}'], 'float64', (_call, value) => change(toFloat64(value)));
const floatFold = (fold: (a: number, b: number) => number) =>
  goVariadic(['interface {}'], 'interface {}', 'float64', (_call, first, ...values) =>
    values.map(toFloat64).reduce((so, value) => fold(so, value), toFloat64(first)),
  );

const ROUND = goVariadic(['interface {}', 'int'], 'float64', 'float64', (_call, value, decimals, ...on) => {
  const [roundOn = 0.5] = on;
  const power = 10 ** Number(decimals.value);
  const digit = power * toFloat64(value);
  const rest = digit - Math.trunc(digit);
  return (rest >= roundOn ? Math.ceil(digit) : Math.floor(digit)) / power;
});

/** Go's untilStep; it charges for the numbers before creating them. */
function stepped(charge: (units: number) => void, start: number, stop: number, step: number): number[] {
  const isDown = stop < start;
  if (isDown ? step >= 0 : step <= 0) return [];
  const count = Math.ceil((stop - start) / step);
  charge(count * 8);
  return Array.from({ length: count }, (_, at) => start + at * step);
}
const ints = (values: readonly number[]) =>
  typed<Value[]>(
    values.map((value) => new GoInt(value)),
    '[]int',
  );

const UNTIL = goFunction(['int'], '[]int', (call, count) => {
  const stop = Number(count.value);
  return ints(stepped((units) => call.charge(units), 0, stop, stop < 0 ? -1 : 1));
});
const UNTIL_STEP = goFunction(['int', 'int', 'int'], '[]int', (call, start, stop, step) =>
  ints(stepped((units) => call.charge(units), Number(start.value), Number(stop.value), Number(step.value))),
);

const SEQ = goVariadic([], 'int', 'string', (call, ...params) => {
  const numbers = params.map(({ value }) => Number(value));
  const charge = (units: number) => call.charge(units);
  const join = (start: number, stop: number, step: number) => stepped(charge, start, stop, step).join(' ');
  const [first = 0, second = 0, third = 0] = numbers;
  switch (numbers.length) {
    case 1:
      return first < 1 ? join(1, first - 1, -1) : join(1, first + 1, 1);
    case 2:
      return second < first ? join(first, second - 1, -1) : join(first, second + 1, 1);
    case 3:
      if (third < first) return second > 0 ? '' : join(first, third - 1, second);
      return join(first, third + 1, second);
    default:
      return '';
  }
});

const RAND_INT = goFunction(['int', 'int'], 'int', (call, min, max) => {
  const span = max.value - min.value;
  if (span <= 0n) throw new GoError('invalid argument to Intn');
  const [low = 0n] = new BigUint64Array(call.randomBytes(8).slice().buffer);
  return new GoInt(min.value + (low % span));
});

/** Reads an octal number, such as a file mode, and returns it as an integer. */
const TO_DECIMAL = goFunction(['interface {}'], 'int64', (_call, value) => {
  const text = sprint([value]);
  if (!/^[+-]?[0-7]+$/.test(text)) return int64(0n);
  const magnitude = BigInt(`0o${text.replace(/^[+-]/, '')}`);
  const signed = text.startsWith('-') ? -magnitude : magnitude;
  return BigInt.asIntN(64, signed) === signed ? int64(signed) : int64(0n);
});

const most = foldedFrom((a, b) => {
  if (a < b) return b;
  return a;
});
const least = foldedFrom((a, b) => {
  if (a > b) return b;
  return a;
});

/** Sprig's number functions: http://masterminds.github.io/sprig/math.html */
export const NUMBER_FUNCTIONS: FunctionTable = new Map<string, GoFunction>([
  ['int64', goFunction(['interface {}'], 'int64', (_call, value) => toInt(value, 'int64'))],
  ['int', goFunction(['interface {}'], 'int', (_call, value) => toInt(value))],
  ['float64', float((value) => value)],
  ['toDecimal', TO_DECIMAL],
  ['add1', goFunction(['interface {}'], 'int64', (_call, value) => int64(toInt64(value) + 1n))],
  ['add', folded(0n, (a, b) => a + b)],
  ['sub', binary((a, b) => a - b)],
  ['div', divided((a, b) => a / b)],
  ['mod', divided((a, b) => a % b)],
  ['mul', foldedFrom((a, b) => a * b)],
  ['max', most],
  ['biggest', most],
  ['min', least],
  ['maxf', floatFold((a, b) => (a === Infinity ? a : b === Infinity ? b : Math.max(a, b)))],
  ['minf', floatFold((a, b) => (a === -Infinity ? a : b === -Infinity ? b : Math.min(a, b)))],
  ['ceil', float(Math.ceil)],
  ['floor', float(Math.floor)],
  ['round', ROUND],
  ['until', UNTIL],
  ['untilStep', UNTIL_STEP],
  ['seq', SEQ],
  ['randInt', RAND_INT],
]);

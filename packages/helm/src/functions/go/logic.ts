import { type GoFunction, goFunction, goVariadic } from '../../template/function.ts';
import { isTrue } from '../../value/truth.ts';

/** `and` and `or` stop at the first argument that decides: the evaluator runs them itself. */
export const AND: GoFunction = shortCircuit();
export const OR: GoFunction = shortCircuit();

function shortCircuit(): GoFunction {
  return goVariadic(['reflect.Value'], 'reflect.Value', 'reflect.Value', () => {
    throw new Error('the evaluator runs and, or');
  });
}

export const NOT = goFunction(['reflect.Value'], 'bool', (_call, value) => !isTrue(value));

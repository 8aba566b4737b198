import { GoError } from '../../template/errors.ts';
import { goVariadic } from '../../template/function.ts';
import { goTypeOf } from '../../value/type.ts';
import type { Value } from '../../value/value.ts';

/** `call F`. Always fails: no value in Helm's templates is a function. The evaluator knows the name of F. */
export const CALL = goVariadic(['reflect.Value'], 'reflect.Value', 'reflect.Value', (_call, callee) => {
  throw callError('', callee);
});

/** Returns the error for calling a value. */
export function callError(name: string, callee: Value | undefined): GoError {
  if (callee === undefined || callee === null) return new GoError('call of nil');
  return new GoError(`non-function ${name} of type ${goTypeOf(callee)}`);
}

import { GoError } from '../../template/errors.ts';
import { type FunctionTable, goVariadic } from '../../template/function.ts';
import { goTypeOf } from '../../value/type.ts';
import { INDEX, LEN, SLICE } from './collection.ts';
import { EQ, GE, GT, LE, LT, NE } from './compare.ts';
import { AND, NOT, OR } from './logic.ts';
import { HTML_ESCAPE, JS_ESCAPE, PRINT, PRINTF, PRINTLN, URL_QUERY } from './text.ts';

/** There are no values that are functions in Helm's templates. */
const CALL = goVariadic(['reflect.Value'], 'reflect.Value', 'reflect.Value', (_call, callee) => {
  if (callee === undefined || callee === null) throw new GoError('call of nil');
  throw new GoError(`non-function of type ${goTypeOf(callee)}`);
});

/** text/template's own functions (https://pkg.go.dev/text/template#hdr-Functions). */
export const GO_FUNCTIONS: FunctionTable = new Map([
  ['and', AND],
  ['call', CALL],
  ['html', HTML_ESCAPE],
  ['index', INDEX],
  ['slice', SLICE],
  ['js', JS_ESCAPE],
  ['len', LEN],
  ['not', NOT],
  ['or', OR],
  ['print', PRINT],
  ['printf', PRINTF],
  ['println', PRINTLN],
  ['urlquery', URL_QUERY],
  ['eq', EQ],
  ['ge', GE],
  ['gt', GT],
  ['le', LE],
  ['lt', LT],
  ['ne', NE],
]);

import { type FunctionTable, type GoFunction, goFunction, goVariadic } from '../../template/function.ts';
import { isTrue } from '../../value/truth.ts';
import { CALL } from './call.ts';
import { INDEX, LEN, SLICE } from './collection.ts';
import { EQ, GE, GT, LE, LT, NE } from './compare.ts';
import { HTML_ESCAPE, JS_ESCAPE, PRINT, PRINTF, PRINTLN, URL_QUERY } from './text.ts';

/** `and` and `or` stop at the first deciding argument, so the evaluator runs them itself. */
const AND: GoFunction = shortCircuit();
const OR: GoFunction = shortCircuit();

const NOT = goFunction(['reflect.Value'], 'bool', (_call, value) => !isTrue(value));

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

function shortCircuit(): GoFunction {
  return goVariadic(['reflect.Value'], 'reflect.Value', 'reflect.Value', () => {
    throw new Error('the evaluator runs and, or');
  });
}

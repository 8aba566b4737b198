import type { FunctionTable } from '../../template/function.ts';
import { CALL } from './call.ts';
import { INDEX, LEN, SLICE } from './collection.ts';
import { EQ, GE, GT, LE, LT, NE } from './compare.ts';
import { AND, NOT, OR } from './logic.ts';
import { HTML_ESCAPE, JS_ESCAPE, PRINT, PRINTF, PRINTLN, URL_QUERY } from './text.ts';

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

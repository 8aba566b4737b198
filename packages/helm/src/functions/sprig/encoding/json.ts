import { readJson } from '../../../json/read-json.ts';
import { JsonSyntaxError } from '../../../json/scan-json.ts';
import { type JsonStyle, MarshalError, writeJson } from '../../../json/write-json.ts';
import { GoError } from '../../../template/errors.ts';
import { type FunctionTable, type GoFunction, goFunction } from '../../../template/function.ts';
import { boxed } from '../../../template/held.ts';

const written = (style: JsonStyle): GoFunction =>
  goFunction(['interface {}'], 'string', (call, value) => {
    try {
      const text = writeJson(value, style);
      call.charge(text.length);
      return text;
    } catch (error) {
      if (error instanceof MarshalError) throw new GoError(error.message);
      throw error;
    }
  });

/** Makes a function return an empty text for a value that JSON cannot represent. */
const orNothing = (write: GoFunction): GoFunction => ({
  ...write,
  run: (call, args) => {
    try {
      return write.run(call, args);
    } catch (error) {
      if (error instanceof GoError) return '';
      throw error;
    }
  },
});

const MUST_FROM_JSON = goFunction(['string'], 'interface {}', (call, text) => {
  call.charge(text.length);
  try {
    return boxed(readJson(text));
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new GoError(error.message);
    throw error;
  }
});

const PRETTY = written({ indent: '  ' });
const RAW = written({ escapeHtml: false });

/** Sprig's JSON functions that Helm does not replace: http://masterminds.github.io/sprig/defaults.html */
export const JSON_FUNCTIONS: FunctionTable = new Map<string, GoFunction>([
  ['toPrettyJson', orNothing(PRETTY)],
  ['mustToPrettyJson', PRETTY],
  ['toRawJson', RAW],
  ['mustToRawJson', RAW],
  ['mustFromJson', MUST_FROM_JSON],
]);

import { goVariadic } from '../../template/function.ts';
import { NO_VALUE } from '../../template/run/template-call.ts';
import { textToBytes } from '../../value/bytes.ts';
import { sprint, sprintf, sprintln } from '../../value/print.ts';
import { isPrintable } from '../../value/quote.ts';
import type { Value } from '../../value/value.ts';

export const PRINT = goVariadic([], 'interface {}', 'string', (_call, ...values) => sprint(values));
export const PRINTF = goVariadic(['string'], 'interface {}', 'string', (call, format, ...values) =>
  sprintf(format, values, (characters) => call.charge(characters)),
);
export const PRINTLN = goVariadic([], 'interface {}', 'string', (_call, ...values) => sprintln(values));

/** Formats values like the text of an action: nil becomes `<no value>`. */
function shown(values: readonly Value[]): string {
  return sprint(values.map((value) => value ?? NO_VALUE));
}

const HTML: Readonly<Record<string, string>> = {
  '\0': '\ufffd',
  '"': '&#34;',
  "'": '&#39;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
};

/** Escapes text for HTML. */
export const HTML_ESCAPE = goVariadic([], 'interface {}', 'string', (_call, ...values) =>
  shown(values).replace(/[\0"'&<>]/g, (character) => HTML[character]!),
);

const JAVASCRIPT: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '"': '\\"',
  '<': '\\u003C',
  '>': '\\u003E',
  '&': '\\u0026',
  '=': '\\u003D',
};

function escapeJavaScript(character: string): string {
  const known = JAVASCRIPT[character];
  if (known !== undefined) return known;
  const code = character.codePointAt(0)!;
  if (code >= 0x20 && code < 0x80) return character;
  if (code >= 0xdc00 && code <= 0xdcff) return '\ufffd';
  if (code >= 0x80 && isPrintable(character)) return character;
  return `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Escapes text for a JavaScript string. */
export const JS_ESCAPE = goVariadic([], 'interface {}', 'string', (_call, ...values) =>
  Array.from(shown(values), escapeJavaScript).join(''),
);

/** Escapes text for the query of a URL. */
export const URL_QUERY = goVariadic([], 'interface {}', 'string', (_call, ...values) =>
  Array.from(textToBytes(shown(values)), (byte) => {
    const character = String.fromCharCode(byte);
    if (/[A-Za-z0-9\-_.~]/.test(character)) return character;
    return byte === 0x20 ? '+' : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join(''),
);

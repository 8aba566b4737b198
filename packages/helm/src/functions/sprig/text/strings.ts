import { GoError } from '../../../template/errors.ts';
import { type FunctionTable, type GoFunction, goFunction, goVariadic } from '../../../template/function.ts';
import { byteLength, bytesToText, textToBytes } from '../../../value/bytes.ts';
import { sprintf } from '../../../value/print.ts';
import { quote } from '../../../value/quote.ts';
import { typed } from '../../../value/type.ts';
import { GoInt, type Value } from '../../../value/value.ts';
import { lower, upper } from './case.ts';
import { initials, swapCase, titled, trimSpace, untitled, withoutSpace } from './letters.ts';
import { textOf, textsOf } from './text-of.ts';

const textToText = (change: (text: string) => string): GoFunction =>
  goFunction(['string'], 'string', (call, text) => {
    call.charge(text.length);
    return change(text);
  });
const two = (change: (a: string, b: string) => string): GoFunction =>
  goFunction(['string', 'string'], 'string', (call, a, b) => {
    call.charge(b.length);
    return change(a, b);
  });
const test = (decide: (a: string, b: string) => boolean): GoFunction =>
  goFunction(['string', 'string'], 'bool', (_call, a, b) => decide(a, b));

/** Slices a text by bytes, like Go slices a string. Throws Go's panic if the bounds are out of range. */
function bytesOf(text: string, from: number, to: number): string {
  const bytes = textToBytes(text);
  if (to < 0 || to > bytes.length)
    throw new GoError(
      `runtime error: slice bounds out of range [:${to}]${to < 0 ? '' : ` with length ${bytes.length}`}`,
    );
  if (from < 0 || from > to) throw new GoError(`runtime error: slice bounds out of range [${from}:${to}]`);
  return bytesToText(bytes.subarray(from, to));
}

const TRUNC = goFunction(['int', 'string'], 'string', (_call, count, text) => {
  const wanted = Number(count.value);
  const length = byteLength(text);
  if (wanted < 0 && length + wanted > 0) return bytesOf(text, length + wanted, length);
  return wanted >= 0 && length > wanted ? bytesOf(text, 0, wanted) : text;
});

const SUBSTR = goFunction(['int', 'int', 'string'], 'string', (_call, start, end, text) => {
  const [from, to] = [Number(start.value), Number(end.value)];
  const length = byteLength(text);
  if (from < 0) return bytesOf(text, 0, to);
  if (to < 0 || to > length) {
    if (from > length) throw new GoError(`runtime error: slice bounds out of range [${from}:${length}]`);
    return bytesOf(text, from, length);
  }
  return bytesOf(text, from, to);
});

const REPEAT = goFunction(['int', 'string'], 'string', (call, count, text) => {
  if (count.value < 0n) throw new GoError('strings: negative Repeat count');
  const bytes = count.value * BigInt(byteLength(text));
  if (bytes >= 2n ** 63n) throw new GoError('strings: Repeat output length overflow');
  call.charge(Number(bytes));
  return text.repeat(Number(count.value));
});

const padded = (before: string) =>
  goFunction(['int', 'string'], 'string', (call, spaces, text) => {
    if (spaces.value < 0n) throw new GoError('strings: negative Repeat count');
    const width = Number(spaces.value);
    const lines = text.split('\n');
    call.charge(width * lines.length + text.length);
    const pad = ' '.repeat(width);
    return before + lines.map((line) => pad + line).join('\n');
  });

const QUOTE = goVariadic([], 'interface {}', 'string', (call, ...items) => {
  const quoted = items.filter((item) => item !== null).map((item) => quote(textOf(item)));
  call.charge(quoted.reduce((sum, text) => sum + text.length, 0));
  return quoted.join(' ');
});

const SQUOTE = goVariadic([], 'interface {}', 'string', (_call, ...items) =>
  items
    .filter((item) => item !== null)
    .map((item) => `'${sprintf('%v', [item])}'`)
    .join(' '),
);

const CAT = goVariadic([], 'interface {}', 'string', (_call, ...items) => {
  const some = items.filter((item) => item !== null);
  return sprintf(some.map(() => '%v').join(' '), some);
});

const REPLACE = goFunction(['string', 'string', 'string'], 'string', (call, old, fresh, text) => {
  // As in Go, an empty text matches between all characters.
  const count = old === '' ? text.length + 1 : text.split(old).length - 1;
  call.charge(text.length + count * fresh.length);
  if (old !== '') return text.split(old).join(fresh);
  return fresh + [...text].map((character) => character + fresh).join('');
});

const JOIN = goFunction(['string', 'interface {}'], 'string', (call, separator, items) => {
  const texts = textsOf(items);
  call.charge(texts.reduce((sum, text) => sum + text.length + separator.length, 0));
  return texts.join(separator);
});

/** Go's strings.Split: splits into characters if there is no separator. */
export function splitText(text: string, separator: string): string[] {
  return separator === '' ? [...text] : text.split(separator);
}

const SPLIT_LIST = goFunction(['string', 'string'], '[]string', (call, separator, text) => {
  call.charge(text.length);
  return typed<Value[]>(splitText(text, separator), '[]string');
});

const numbered = (texts: readonly string[]) =>
  typed(new Map<string, Value>(texts.map((text, at) => [`_${at}`, text])), 'map[string]string');

const SPLIT = goFunction(['string', 'string'], 'map[string]string', (call, separator, text) => {
  call.charge(text.length);
  return numbered(splitText(text, separator));
});

const SPLITN = goFunction(
  ['string', 'int', 'string'],
  'map[string]string',
  (call, separator, count, text) => {
    call.charge(text.length);
    const most = Number(count.value);
    if (most === 0) return numbered([]);
    const texts = splitText(text, separator);
    if (most < 0 || texts.length <= most) return numbered(texts);
    return numbered([...texts.slice(0, most - 1), texts.slice(most - 1).join(separator)]);
  },
);

function trimCharacters(characters: string, text: string): string {
  const cut = new Set(characters);
  const all = [...text];
  let from = 0;
  let to = all.length;
  while (from < to && cut.has(all[from] ?? '')) from++;
  while (to > from && cut.has(all[to - 1] ?? '')) to--;
  return all.slice(from, to).join('');
}
const TRIM_ALL = two(trimCharacters);

const PLURAL = goFunction(['string', 'string', 'int'], 'string', (_call, one, many, count) =>
  count.value === 1n ? one : many,
);

const SORT_ALPHA = goFunction(['interface {}'], '[]string', (call, items) => {
  call.charge(1);
  if (items === null) return typed<Value[]>(['<nil>'], '[]string');
  const texts = textsOf(items).map((text) => [text, textToBytes(text)] as const);
  const sorted = texts.sort((a, b) => Buffer.compare(a[1], b[1])).map(([text]) => text);
  return typed<Value[]>(sorted, '[]string');
});

/** Sprig's text functions: http://masterminds.github.io/sprig/strings.html */
export const STRING_FUNCTIONS: FunctionTable = new Map<string, GoFunction>([
  ['hello', goFunction([], 'string', () => 'Hello!')],
  ['trim', textToText(trimSpace)],
  ['upper', textToText(upper)],
  ['lower', textToText(lower)],
  ['title', textToText(titled)],
  ['untitle', textToText(untitled)],
  ['nospace', textToText(withoutSpace)],
  ['initials', textToText(initials)],
  ['swapcase', textToText(swapCase)],
  ['substr', SUBSTR],
  ['trunc', TRUNC],
  ['repeat', REPEAT],
  ['trimall', TRIM_ALL],
  ['trimAll', TRIM_ALL],
  ['trimSuffix', two((end, text) => (end !== '' && text.endsWith(end) ? text.slice(0, -end.length) : text))],
  ['trimPrefix', two((start, text) => (text.startsWith(start) ? text.slice(start.length) : text))],
  ['contains', test((needle, text) => text.includes(needle))],
  ['hasPrefix', test((start, text) => text.startsWith(start))],
  ['hasSuffix', test((end, text) => text.endsWith(end))],
  ['quote', QUOTE],
  ['squote', SQUOTE],
  ['cat', CAT],
  ['indent', padded('')],
  ['nindent', padded('\n')],
  ['replace', REPLACE],
  ['plural', PLURAL],
  ['join', JOIN],
  ['split', SPLIT],
  ['splitn', SPLITN],
  ['splitList', SPLIT_LIST],
  ['sortAlpha', SORT_ALPHA],
  ['toString', goFunction(['interface {}'], 'string', (_call, value) => textOf(value))],
  [
    'toStrings',
    goFunction(['interface {}'], '[]string', (_call, value) => typed<Value[]>(textsOf(value), '[]string')),
  ],
  ['atoi', goFunction(['string'], 'int', (_call, text) => new GoInt(atoi(text)))],
]);

/** Go's strconv.Atoi, ignoring its error: a value out of range becomes the nearest limit. */
function atoi(text: string): bigint {
  if (!/^[+-]?\d+$/.test(text)) return 0n;
  const value = BigInt(text.replace(/^\+/, ''));
  if (value > 2n ** 63n - 1n) return 2n ** 63n - 1n;
  return value < -(2n ** 63n) ? -(2n ** 63n) : value;
}

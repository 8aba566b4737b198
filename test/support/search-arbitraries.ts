import fc from 'fast-check';

/* Lines and searches that often match: cases, accents, colors, fields. */

export const PIECES: readonly string[] = [
  'time',
  'out',
  'Time',
  ' ',
  'ERROR ',
  'error ',
  '-',
  'é',
  'É',
  '\u001b[31m',
  '\u001b[0m',
  '{"level":"warn",',
  '"route":"/pay"',
  '}',
  '{"a":{"b":1}}',
  'K',
  '\u212a',
  '😀',
  '7',
];
export const TERMS: readonly string[] = [
  'time',
  'timeout',
  'ERR',
  'é',
  'k',
  '"out "',
  '@level:error',
  '@level:warn,none',
  '@json.route:/pay',
  '@a.b:1',
  '7',
  '😀',
];

/** Makes a line of some of these pieces. */
export const lineOf = (pieces: readonly string[]) =>
  fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((all) => all.join(''));

/** Makes a search with some of these terms, required or excluded. */
export const searchOf = (terms: readonly string[]) =>
  fc
    .array(fc.tuple(fc.constantFrom('', '-'), fc.constantFrom(...terms)), { maxLength: 3 })
    .map((all) => all.map(([dash, one]) => dash + one).join(' '));

export const fieldFilter = fc.record({
  path: fc.constantFrom('route', 'a.b'),
  value: fc.constantFrom('/pay', '1'),
  exclude: fc.boolean(),
});

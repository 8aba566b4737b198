import fc from 'fast-check';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { setTexts } from './set-texts.ts';

describe('a text is replaced in every style, and all else stays', () => {
  test.each([
    ['plain', 'old'],
    ['double quotes', '"o\\"ld"'],
    ['single quotes', "'o''ld'"],
    ['an anchor', '&a old'],
    ['a tag', '!!str 12'],
    ['a number', '12'],
  ])('%s', (_, old) => {
    const text = `# head\nuser:\n  token: ${old}  # why\n  other: [1,   2]\n`;
    const expected = text.replace(/(?<=token: (?:&a |!!str )?)(?:"o.*"|'o.*'|old|12)(?= {2})/, '"new"');
    expect(setTexts(text, ['user'], { token: 'new' })).toBe(expected);
    expect(expected).not.toBe(text);
  });

  test('a block of lines', () => {
    for (const header of ['|', '>-', '|+ # why', '|2-']) {
      const text = `a:\n  token: ${header}\n    old\n    more\n  b: 1 # c\n`;
      expect(setTexts(text, ['a'], { token: 'new' })).toBe('a:\n  token: "new"\n  b: 1 # c\n');
    }
  });

  test('an empty value', () => {
    expect(setTexts('a:\n  token: # none\n  b: 1\n', ['a'], { token: 'new' })).toBe(
      'a:\n  token: "new" # none\n  b: 1\n',
    );
    expect(setTexts('a: {token: , b: 1}', ['a'], { token: 'new' })).toBe('a: {token: "new" , b: 1}');
    expect(setTexts('a: {"token": }', ['a'], { token: 'new' })).toBe('a: {"token": "new" }');
  });
});

describe('a key that is missing is added', () => {
  test.each([
    ['a:\n  b: 1 # c\n', ['a'], 'a:\n  t: "new"\n  b: 1 # c\n'],
    ['- b: 1\n  c: 2\n', [0], '- t: "new"\n  b: 1\n  c: 2\n'],
    ['a: {b: 1}\n', ['a'], 'a: {t: "new", b: 1}\n'],
    ['a: {}\n', ['a'], 'a: {t: "new"}\n'],
    ['a:\r\n  b: 1\r\n', ['a'], 'a:\r\n  t: "new"\n  b: 1\r\n'],
  ])('%j', (text, path, expected) => expect(setTexts(text, path, { t: 'new' })).toBe(expected));
});

test.each([
  ['a: 1\n', ['a']],
  ['a: [1]\n', ['a']],
  ['b: &x {c: 1}\na: *x\n', ['a']],
  ['', ['a']],
])('%j has no such mapping', (text, path) => expect(setTexts(text, path, { t: 'new' })).toBeUndefined());

const text = fc.string({ unit: 'binary', maxLength: 12 }).filter((each) => !/\p{Cs}/u.test(each));
const STYLES = [
  (value: string) => JSON.stringify(value),
  (value: string) => `"${encodeURI(value.replace(/\p{Cs}/gu, ''))}"`,
  () => 'plain text',
  () => "'it''s'",
  () => '>-\n    folded\n    text',
  () => '',
];

test('whatever the values are, they are read back, and the rest of the document is the same', () => {
  const entries = fc.uniqueArray(fc.tuple(fc.constantFrom('id', 'refresh', 'issuer', 'x'), fc.nat(5), text), {
    selector: ([name]) => name,
    minLength: 1,
  });
  const values = fc.dictionary(fc.constantFrom('id', 'refresh'), text, { noNullPrototype: true });
  fc.assert(
    fc.property(entries, values, (given, set) => {
      const lines = given.map(([name, style, value]) => `  ${name}: ${STYLES[style]?.(value)}\n  # ${style}`);
      const before = `# top\nusers: [{name: "ann"}] # bob\nconfig:\n${lines.join('\n')}\nz: 1\n`;
      const after = setTexts(before, ['config'], set) ?? '';
      const known = load(before) as { config: Record<string, unknown> };
      expect(load(after)).toEqual({ ...known, config: { ...known.config, ...set } });
      for (const comment of before.match(/#.*/g) ?? []) expect(after).toContain(comment);
    }),
  );
});

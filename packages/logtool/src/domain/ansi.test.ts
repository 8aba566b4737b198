import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stripSgr, stripSgrText } from './ansi.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

test.each([
  ['plain', 'plain'],
  ['\u001b[31mred\u001b[0m', 'red'],
  ['\u001b[mx', 'x'],
  ['a\u001b[1;38:2:1:2:3mb\u001b[Kc', 'abc'],
  ['\u001b[2Jx', '\u001b[2Jx'],
  ['\u001b[31', '\u001b[31'],
  ['\u001b', '\u001b'],
  ['\u001b\u001b[31mx', '\u001bx'],
])('%j becomes %j', (given, expected) => {
  expect(decoder.decode(stripSgr(encoder.encode(given)))).toBe(expected);
  expect(stripSgrText(given).text).toBe(expected);
});

test('without an escape nothing is copied', () => {
  const message = encoder.encode('plain');
  expect(stripSgr(message)).toBe(message);
});

test('places lead back into the text', () => {
  const given = '\u001b[31mred\u001b[0m blue';
  const { text, at } = stripSgrText(given);
  expect(given.slice(at(text.indexOf('blue')), at(text.length))).toBe('blue');
});

test('bytes and text agree', () => {
  const text = fc.string({ unit: fc.constantFrom('\u001b', '[', '3', ';', 'm', 'K', 'x', 'é') });
  fc.assert(
    fc.property(text, (given) => {
      expect(decoder.decode(stripSgr(encoder.encode(given)))).toBe(stripSgrText(given).text);
    }),
  );
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codePoint } from '../../../../test/support/fuzz/code-point.ts';
import { decodeUtf8, sanitizeLine, sanitizeText } from './sanitize.ts';

test.each([
  ['ordinary text stays', 'GET /healthz 200 ✓ 日本', 'GET /healthz 200 ✓ 日本'],
  ['a tab stays', 'a\tb', 'a\tb'],
  ['a bell is shown', 'ding\x07', 'ding\\x07'],
  ['a null byte is shown', 'a\0b', 'a\\x00b'],
  ['clearing the screen is shown', '\x1b[2Jgone', '^[[2Jgone'],
  ['setting the title is shown', '\x1b]0;title\x07', '^[]0;title\\x07'],
  ['an escape at the end is shown', 'x\x1b', 'x^['],
  ['a CR inside is shown', 'old\rnew', 'old␍new'],
  ['a CR at the end is left out', 'line\r', 'line'],
  ['a C1 control sequence introducer is shown', '\x9b31mred', '\\x9b31mred'],
  ['a bidirectional override is shown', 'a\u202eb', 'a\\u202eb'],
  ['a line separator is shown', 'a\u2028b', 'a\\u2028b'],
  ['color passes and is reset', '\x1b[31mred', '\x1b[31mred\x1b[0m'],
  ['a zero-width space is shown', 'pass\u200bword', 'pass\\u200bword'],
  ['joiners between Latin letters are shown', 'a\u200db\u200cc', 'a\\u200db\\u200cc'],
  [
    'a byte order mark, a word joiner and a soft hyphen are shown',
    '\ufeffa\u2060b\xadc',
    '\\ufeffa\\u2060b\\xadc',
  ],
  ['fillers that look like nothing are shown', 'a\u3164\uffa0\u115fb', 'a\\u3164\\uffa0\\u115fb'],
  [
    'formats of music, shorthand and Mongolian are shown',
    'a\u{1d173}b\u{1bca0}c\u180dd\u180fe\ufff0f\u{e0fff}',
    'a\\u{1d173}b\\u{1bca0}c\\u180dd\\u180fe\\ufff0f\\u{e0fff}',
  ],
  ['music and a selector of Mongolian stay', '\u{1d11e} ᠠ\u180b', '\u{1d11e} ᠠ\u180b'],
  ['tags, which repeat ASCII, are shown', 'a\u{e0041}b', 'a\\u{e0041}b'],
  ['a selector without an emoji is shown', 'a\ufe0fb\u{e0100}', 'a\\ufe0fb\\u{e0100}'],
  ['only one selector belongs to an emoji', '✔\ufe0f\ufe01', '✔\ufe0f\\ufe01'],
  [
    'an emoji of several stays',
    '👩\u200d💻 ✔\ufe0f 1\ufe0f\u20e3 👩🏽\u200d🚀',
    '👩\u200d💻 ✔\ufe0f 1\ufe0f\u20e3 👩🏽\u200d🚀',
  ],
  ['a joiner of Persian and of Hindi stays', 'می\u200cخواهم क्\u200dष', 'می\u200cخواهم क्\u200dष'],
  ['hidden text is visible', '\x1b[8msecret\x1b[0m', '^[[8msecret\x1b[0m'],
  ['hidden text among other parameters is visible', '\x1b[31;08;1mx', '^[[31;08;1mx'],
  ['hidden text after a color is visible', '\x1b[38;5;8;8mx', '^[[38;5;8;8mx'],
  ['hidden text after half a color is visible', '\x1b[38;8mx', '^[[38;8mx'],
  ['color 8 of a palette passes', '\x1b[38;5;8;48;2;8;8;8mx\x1b[0m', '\x1b[38;5;8;48;2;8;8;8mx\x1b[0m'],
  ['hidden text in the color of an underline is visible', '\x1b[58;5;8mx', '^[[58;5;8mx'],
  ['another color of an underline passes', '\x1b[58;5;9mx\x1b[0m', '\x1b[58;5;9mx\x1b[0m'],
  ['color 8 with colons, and 28, pass', '\x1b[38:5:8;28mx\x1b[0m', '\x1b[38:5:8;28mx\x1b[0m'],
  ['color that is reset gets no second reset', '\x1b[1;31mred\x1b[0m', '\x1b[1;31mred\x1b[0m'],
])('%s', (_name, line, expected) => expect(sanitizeLine(line, true)).toBe(expected));

test.each([...Array(32).keys()].map((at) => 0x80 + at))('the C1 control %i is shown', (code) => {
  const shown = `a\\x${code.toString(16)}b`;
  expect(sanitizeLine(`a${String.fromCharCode(code)}b`, true)).toBe(shown);
  expect(sanitizeText(`a${String.fromCharCode(code)}b`)).toBe(shown);
});

test('without color, color sequences are left out', () => {
  expect(sanitizeLine('\x1b[1;31mred\x1b[0m \x1b[2J', false)).toBe('red ^[[2J');
  expect(sanitizeText('\x1b[31mnode\n1')).toBe('node\\x0a1');
});

test('bytes that are not UTF-8 become U+FFFD, and the rest stays', () => {
  expect(decodeUtf8(Uint8Array.of(0x61, 0xff, 0x62))).toBe('a\ufffdb');
  expect(decodeUtf8(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61))).toBe('\ufeffa');
});

test('no text keeps a control character, except color', () => {
  const texts = fc.oneof(fc.string({ unit: codePoint }), fc.stringMatching(/^[\x1b[0-9;mJ\x07\x9b]*$/));
  fc.assert(
    fc.property(texts, fc.boolean(), (text, color) => {
      const safe = sanitizeLine(text, color);
      const rest = color ? safe.replace(/\x1b\[[0-9;:]*m/g, '') : safe;
      expect(rest).not.toMatch(/[\x00-\x08\x0a-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
    }),
  );
});

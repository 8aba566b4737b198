import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codePoint } from '../../../../../test/support/fuzz/code-point.ts';
import { stripSgrText } from '../../domain/ansi.ts';
import { markHits } from './mark-hits.ts';
import { splitAnsi } from './segments.ts';
import { applySgr, PLAIN } from './sgr.ts';

const ESC = '\x1b';
const shown = (line: string) =>
  splitAnsi(line)
    .map(({ text }) => text)
    .join('');

describe('splitting a line into styled parts', () => {
  test('gives a plain line as one part', () => {
    expect(splitAnsi('  indented\tline')).toEqual([
      { start: 0, end: 15, text: '  indented\tline', style: {}, isControl: false },
    ]);
    expect(splitAnsi('')).toEqual([]);
  });

  test('turns colors into styles and leaves the sequences out', () => {
    expect(splitAnsi(`a ${ESC}[1;31merror${ESC}[0m b`)).toEqual([
      { start: 0, end: 2, text: 'a ', style: {}, isControl: false },
      { start: 2, end: 7, text: 'error', style: { bold: true, fg: 1 }, isControl: false },
      { start: 7, end: 9, text: ' b', style: {}, isControl: false },
    ]);
  });

  test('leaves out what only a screen can obey: cursor moves, titles, links', () => {
    expect(shown(`${ESC}[2J${ESC}[1;1Hhidden?${ESC}[1A${ESC}[?25l`)).toBe('hidden?');
    expect(shown(`${ESC}]0;title\x07text`)).toBe('text');
    expect(shown(`${ESC}]8;;https://example.test${ESC}\\link${ESC}]8;;${ESC}\\`)).toBe('link');
    expect(shown(`done${ESC}[K`)).toBe('done');
    expect(shown(`${ESC}(B${ESC}[mreset${ESC})0${ESC}=${ESC}7${ESC}8${ESC}>`)).toBe('reset');
    expect(shown(`${ESC}P1$r0m${ESC}\\a${ESC}_private${ESC}\\b${ESC}^c${ESC}\\`)).toBe('ab');
  });

  test('shows other control characters in letters', () => {
    expect(shown('bell\x07 del\x7f c1\x9b')).toBe('bell\\x07 del\\x7f c1\\x9b');
    expect(shown(`lonely ${ESC} and ${ESC}]0;no end`)).toBe('lonely ^[ and ^[]0;no end');
    expect(shown('a\rb\r')).toBe('a\\rb');
    expect(shown('user\u202egnp.exe')).toBe('user\\u202egnp.exe');
    expect(shown('pass\u200bword\ufeff so\u00adft')).toBe('pass\\u200bword\\ufeff so\\xadft');
    expect(shown('👩\u200d👦 نمی\u200cخواهم')).toBe('👩\u200d👦 نمی\u200cخواهم');
  });

  test('cuts a long line between characters', () => {
    expect(shown(splitAnsi('ab😀', 3)[0]?.text ?? '')).toBe('ab');
    expect(splitAnsi('x'.repeat(1_000_000), 2_000)[0]?.text).toHaveLength(2_000);
  });

  test('counts offsets as the domain strips colors, whatever the line holds', () => {
    const piece = fc.oneof(
      fc.string({ unit: codePoint, maxLength: 8 }),
      fc.constantFrom(
        `${ESC}[31m`,
        `${ESC}[0K`,
        `${ESC}[2J`,
        `${ESC}]0;t\x07`,
        ESC,
        '\r',
        `${ESC}[38;5;`,
        '\u2066',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const line = pieces.join('');
        const plain = stripSgrText(line).text;
        let last = 0;
        for (const segment of splitAnsi(line)) {
          expect(segment.start).toBeGreaterThanOrEqual(last);
          expect(segment.text).not.toMatch(/[\x00-\x08\x0a-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
          if (!segment.isControl) expect(segment.text).toBe(plain.slice(segment.start, segment.end));
          last = segment.end;
        }
        expect(last).toBeLessThanOrEqual(plain.length);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a limit', () => {
  test('counts what is seen: colors take no room', () => {
    const line = Array.from({ length: 400 }, (_, at) => `${ESC}[3${at % 8}mab`).join('');
    const seen = splitAnsi(line, 500);
    expect(seen.map(({ text }) => text).join('')).toBe('ab'.repeat(250));
    expect(seen.at(-1)?.end).toBe(500);
  });

  test('cuts no character in two, and ends in a line that is all of sequences', () => {
    expect(splitAnsi('a😀b', 2).map(({ text }) => text)).toEqual(['a']);
    expect(splitAnsi(`${ESC}[1ma😀${ESC}[0mb`, 2).map(({ text }) => text)).toEqual(['a']);
  });

  test('finds the text after any number of colors, and reports that it gave up if there is no end of them', () => {
    const codes = `${ESC}[31m${ESC}[1m`;
    expect(splitAnsi(`${codes.repeat(8_000)}at last`, 1_000).map(({ text }) => text)).toEqual(['at last']);
    const endless = splitAnsi(`${codes.repeat(200_000)}end`, 1_000);
    expect(endless.map(({ text, isControl }) => ({ text, isControl }))).toEqual([
      { text: '…', isControl: true },
    ]);
  });
});

describe('SGR parameters', () => {
  test('know the 16, the 256 and the true colors, with semicolons and with colons', () => {
    expect(applySgr(PLAIN, '97;100')).toEqual({ fg: 15, bg: 8 });
    expect(applySgr(PLAIN, '38;5;208;1')).toEqual({ fg: '#ff8700', bold: true });
    expect(applySgr(PLAIN, '48;5;232')).toEqual({ bg: '#080808' });
    expect(applySgr(PLAIN, '38;2;1;2;255')).toEqual({ fg: '#0102ff' });
    expect(applySgr(PLAIN, '38:2::1:2:255')).toEqual({ fg: '#0102ff' });
    expect(applySgr(PLAIN, '38:5:9')).toEqual({ fg: 9 });
  });

  test('end what they began', () => {
    const all = applySgr(PLAIN, '1;2;3;4;7;8;9;31;41');
    expect(applySgr(all, '22;23;24;27;28;29;39;49')).toEqual({});
    expect(applySgr(all, '')).toEqual({});
    expect(applySgr(applySgr(PLAIN, '4'), '4:0')).toEqual({});
  });

  test('change nothing where they mean nothing', () => {
    expect(applySgr(PLAIN, '38;5;999;38;2;1;2;300')).toEqual({});
    expect(applySgr(PLAIN, '1234567890123456789;75')).toEqual({});
  });
});

describe('marking hits', () => {
  test('cuts parts at the ends of hits, over changes of color too', () => {
    const segments = markHits(splitAnsi(`time${ESC}[31mout now`), [
      [2, 7],
      [8, 9],
    ]);
    expect(segments.map(({ text, hit }) => [text, hit])).toEqual([
      ['ti', undefined],
      ['me', 0],
      ['out', 0],
      [' ', undefined],
      ['n', 1],
      ['ow', undefined],
    ]);
  });

  test('marks a control character as a whole', () => {
    const segments = markHits(splitAnsi('a\x07b'), [[1, 2]]);
    expect(segments.map(({ text, hit }) => [text, hit])).toEqual([
      ['a', undefined],
      ['\\x07', 0],
      ['b', undefined],
    ]);
  });
});

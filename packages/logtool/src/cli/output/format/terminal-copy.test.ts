import { expect, test } from 'vitest';
import { TerminalCopy } from './terminal-copy.ts';

function copied(bytes: Uint8Array, chunkBytes: number, color = true): string {
  const copy = new TerminalCopy(color);
  let text = '';
  for (let at = 0; at < bytes.length; at += chunkBytes)
    text += copy.push(bytes.subarray(at, at + chunkBytes));
  return text + copy.rest();
}

const BODY = Buffer.concat([
  Buffer.from('plain\n\n\x1b[31mréd\x1b[0m\x1b[2J\r\n\u202e'),
  Buffer.from([0xff, 0xc2, 0x9b, 0x0a]),
  Buffer.from('no end'),
]);

test('escapes lines, wherever the chunks end', () => {
  for (let size = 1; size <= BODY.length; size++)
    expect(copied(BODY, size)).toBe('plain\n\n\x1b[31mréd\x1b[0m^[[2J\n\\u202e\ufffd\\x9b\nno end');
});

test('without color, color is left out', () => {
  expect(copied(BODY, 5, false)).toContain('\nréd^[[2J\n');
});

test('a line without an end is written in parts, each of them safe', () => {
  const copy = new TerminalCopy(true);
  let written = 0;
  for (let count = 0; count < 100; count++) written += copy.push(Buffer.alloc(8192, '\x1b')).length;
  expect(written).toBeGreaterThan(2 * 700_000);
  expect(copy.push(Buffer.from('[2J\n'))).toMatch(/^(\^\[)*\[2J\n$/);
});

test('a line that is written in parts keeps characters and color sequences whole', () => {
  const begun = ['€', '😀', 'é', '\x1b[31mred', '\r', '\r\r', '\r\x1b[1m€', '\x1b[2J'];
  for (const text of begun) {
    for (let cut = 0; cut <= Buffer.byteLength(text); cut++) {
      const copy = new TerminalCopy(true);
      const line = Buffer.from(`${'a'.repeat(70_000)}${text}b\n`);
      const out = copy.push(line.subarray(0, 70_000 + cut)) + copy.push(line.subarray(70_000 + cut));
      // Each part ends without color.
      const shown = out.slice(70_000).replaceAll('\x1b[0m', '');
      const whole = copied(Buffer.from(`${text}b\n`), 1).replaceAll('\x1b[0m', '');
      expect(shown, `${JSON.stringify(text)} at ${cut}`).toBe(whole);
    }
  }
});

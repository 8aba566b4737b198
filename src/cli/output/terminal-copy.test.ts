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

test('lines are made harmless, wherever the chunks end', () => {
  for (let size = 1; size <= BODY.length; size++)
    expect(copied(BODY, size)).toBe('plain\n\n\x1b[31mréd\x1b[0m^[[2J\n\\u202e\ufffd\\x9b\nno end');
});

test('without colour, colour is left out', () => {
  expect(copied(BODY, 5, false)).toContain('\nréd^[[2J\n');
});

test('a line without an end is written in parts, none of which does harm', () => {
  const copy = new TerminalCopy(true);
  let written = 0;
  for (let count = 0; count < 100; count++) written += copy.push(Buffer.alloc(8192, '\x1b')).length;
  expect(written).toBeGreaterThan(2 * 700_000);
  expect(copy.push(Buffer.from('[2J\n'))).toMatch(/^(\^\[)*\[2J\n$/);
});

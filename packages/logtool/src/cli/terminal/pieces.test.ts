import { expect, test } from 'vitest';
import { terminalPieces } from './pieces.ts';

test.each([
  ['nothing', ''],
  ['a short line', 'ä\n'],
  ['many lines', 'a line of some length: ä\n'.repeat(5000)],
  ['a long line in front of others', `${'ä'.repeat(20_000)}\nshort\n${'b'.repeat(9000)}`],
])('pieces are what was to be written, and none is large: %s', (_, text) => {
  const pieces = [...terminalPieces(Buffer.from(text))];
  expect(Buffer.concat(pieces).toString()).toBe(text);
  for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(8192);
});

test('lines stay whole where they fit', () => {
  for (const piece of terminalPieces(Buffer.from('0123456789\n'.repeat(5000))))
    expect(piece.length % 11).toBe(0);
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cutOutput, emptyHeldLine, endOutput } from './output-lines.ts';

type Entry = readonly [message: string, partial: boolean];

function cut(pieces: readonly Uint8Array[], ended: boolean): Entry[] {
  const entries: Entry[] = [];
  const held = emptyHeldLine();
  const emit = (message: Uint8Array, partial: boolean) => {
    entries.push([Buffer.from(message).toString('latin1'), partial]);
  };
  for (const piece of pieces) cutOutput(held, piece, emit);
  if (ended) endOutput(held, emit);
  return entries;
}

const bytes = (text: string) => Buffer.from(text, 'latin1');
const K16 = 16 * 1024;

it.each<[what: string, output: string, entries: readonly Entry[], atEnd: readonly Entry[]]>([
  [
    'lines',
    'one\ntwo\n',
    [
      ['one', false],
      ['two', false],
    ],
    [],
  ],
  ['an empty line', '\n', [['', false]], []],
  ['an unterminated line, held back to the end', 'one\ntwo', [['one', false]], [['two', true]]],
  [
    'CRLF without its CR, other CRs kept',
    'a\rb\r\r\n\r\n',
    [
      ['a\rb\r', false],
      ['', false],
    ],
    [],
  ],
  ['16 KiB exactly', `${'x'.repeat(K16)}\n`, [['x'.repeat(K16), false]], []],
  ['16 KiB and CRLF', `${'x'.repeat(K16)}\r\n`, [['x'.repeat(K16), false]], []],
  [
    'a byte more',
    `${'x'.repeat(K16)}y\n`,
    [
      ['x'.repeat(K16), true],
      ['y', false],
    ],
    [],
  ],
  ['16 KiB unterminated, held back', 'x'.repeat(K16), [], [['x'.repeat(K16), true]]],
  ['more than 16 KiB unterminated', `${'x'.repeat(K16)}yz`, [['x'.repeat(K16), true]], [['yz', true]]],
])('cuts %s', (_, output, entries, atEnd) => {
  expect(cut([bytes(output)], false)).toEqual(entries);
  expect(cut([bytes(output)], true)).toEqual([...entries, ...atEnd]);
});

it('cuts the same however the process writes it', () => {
  const write = fc.oneof(
    fc.constantFrom('\n', '\r\n', '\r', 'word ', ''),
    fc.integer({ min: 16_380, max: 16_390 }).map((length) => 'x'.repeat(length)),
  );
  fc.assert(
    fc.property(
      fc.array(write, { maxLength: 12 }),
      fc.array(fc.nat(40_000), { maxLength: 8 }),
      (writes, cuts) => {
        const output = bytes(writes.join(''));
        const edges = [
          0,
          ...cuts.filter((edge) => edge < output.length).toSorted((a, b) => a - b),
          output.length,
        ];
        const pieces = edges.slice(1).map((edge, index) => output.subarray(edges[index], edge));
        expect(cut(pieces, true)).toEqual(cut([output], true));
      },
    ),
  );
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ContainerTarget } from '../../domain/container.ts';
import { type LogRecord, makeRun } from '../../domain/record.ts';
import { matchingIndexes } from './matching-indexes.ts';

const run = makeRun({ podUid: 'uid', container: 'main' } as ContainerTarget, 'containerd://1');

function record(message: Uint8Array): LogRecord {
  return { run, at: { seconds: 0, nanos: 0 }, seq: 0, message, partial: false, late: false };
}

/** Returns messages like the parser's: views into chunks, with other bytes between them. */
function views(chunk: Buffer, edges: readonly number[]): LogRecord[] {
  const borders = edges.map((edge) => Math.min(edge, chunk.length)).sort((a, b) => a - b);
  return borders.slice(1).flatMap((end, index) => {
    const start = borders[index]!;
    return index % 3 === 2 ? [] : [record(chunk.subarray(start, end))];
  });
}

const bytes = fc.array(fc.constantFrom(0x61, 0x62, 0x0a), { maxLength: 40 }).map((all) => Buffer.from(all));
const chunk = fc.tuple(bytes, fc.array(fc.nat(40), { maxLength: 12 }));
const needles = fc.array(fc.constantFrom('a', 'b', 'aa', 'ab', 'aba', '\n', 'bbab'), {
  minLength: 1,
  maxLength: 3,
});

test('finds the messages that hold one of the texts, wherever they lie', () => {
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 4 }), needles, fc.boolean(), (chunks, texts, shuffled) => {
      const records = chunks.flatMap(([all, edges]) => [record(new Uint8Array(0)), ...views(all, edges)]);
      if (shuffled) records.reverse();
      const wanted = records.flatMap(({ message }, index) =>
        texts.some((text) => Buffer.from(message).includes(text)) ? [index] : [],
      );
      const found = matchingIndexes(
        texts.map((text) => Buffer.from(text)),
        records,
      );
      expect(found).toEqual(wanted);
    }),
  );
});

test('a text across two messages is in neither', () => {
  const chunk = Buffer.from('one needle two');
  expect(
    matchingIndexes([Buffer.from('needle')], [record(chunk.subarray(0, 6)), record(chunk.subarray(6))]),
  ).toEqual([]);
});

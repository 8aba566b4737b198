import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readLines } from './read-lines.ts';

/** Makes a body of these pieces; calls `onCancel` when the reader cancels it. */
function bodyOf(
  pieces: readonly Uint8Array<ArrayBuffer>[],
  onCancel?: () => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      const piece = pieces[at++];
      if (piece === undefined) controller.close();
      else controller.enqueue(piece);
    },
    cancel: () => onCancel?.(),
  });
}

async function readAll(pieces: readonly Uint8Array<ArrayBuffer>[]): Promise<unknown[][]> {
  const batches: unknown[][] = [];
  for await (const batch of readLines(bodyOf(pieces))) batches.push(batch);
  return batches;
}

const bytes = (text: string) => new TextEncoder().encode(text);

test('values that came together are handed out together', async () => {
  expect(await readAll([bytes('1\n2\n'), bytes('3\n')])).toEqual([[1, 2], [3]]);
});

test('a line in pieces is one value, wherever it is cut, inside of a letter too', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 8 }),
      fc.array(fc.nat(20), { maxLength: 30 }),
      async (values, sizes) => {
        let rest = bytes(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
        const pieces: Uint8Array<ArrayBuffer>[] = [];
        for (const size of sizes) {
          pieces.push(rest.subarray(0, size));
          rest = rest.subarray(size);
        }
        pieces.push(rest);
        expect((await readAll(pieces.filter((piece) => piece.length > 0))).flat()).toEqual(values);
      },
    ),
  );
});

test('does not hand out a last line without its newline', async () => {
  expect(await readAll([bytes('{"a":1}\n{"a"')])).toEqual([[{ a: 1 }]]);
  expect(await readAll([bytes('1\n2')])).toEqual([[1]]);
});

test('empty lines are nothing', async () => {
  expect(await readAll([bytes('\n\n1\n\n')])).toEqual([[1]]);
});

test('a line that is no JSON is an error', async () => {
  await expect(readAll([bytes('<html>\n')])).rejects.toThrow(SyntaxError);
});

test('leaving early ends the request', async () => {
  let isCanceled = false;
  const body = bodyOf([bytes('1\n'), bytes('2\n')], () => {
    isCanceled = true;
  });
  for await (const batch of readLines(body)) {
    expect(batch).toEqual([1]);
    break;
  }
  expect(isCanceled).toBe(true);
});

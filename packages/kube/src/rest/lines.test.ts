import { expect, test } from 'vitest';
import { splitLines } from './lines.ts';

const SUBJECT = { verb: 'watch', resource: 'pods' };

async function split(chunks: readonly Uint8Array[], limitBytes = 1000): Promise<string[]> {
  async function* body() {
    yield* chunks;
  }
  const lines: string[] = [];
  for await (const line of splitLines(body(), limitBytes, SUBJECT)) lines.push(line.toString());
  return lines;
}

test('lines are the same whatever the edges of the chunks', async () => {
  const bytes = Buffer.from('{"a":"é✓😀"}\n\n{"b":2}\n{"c":3}');
  const whole = ['{"a":"é✓😀"}', '{"b":2}', '{"c":3}'];
  expect(await split([bytes])).toEqual(whole);
  expect(await split([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(whole);
  for (let cut = 0; cut <= bytes.length; cut++) {
    expect(await split([bytes.subarray(0, cut), bytes.subarray(cut)]), `cut at ${cut}`).toEqual(whole);
  }
});

test('a line over the limit is refused, also before its end has come', async () => {
  expect(await split([Buffer.from('12345\n12345\n')], 5)).toEqual(['12345', '12345']);
  await expect(split([Buffer.from('123456\n')], 5)).rejects.toMatchObject({ kind: 'protocol' });
  await expect(split([Buffer.from('123'), Buffer.from('456')], 5)).rejects.toMatchObject({
    kind: 'protocol',
  });
});

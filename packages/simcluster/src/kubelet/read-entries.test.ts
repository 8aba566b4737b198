import { formatTimestamp, parseTimestamp, timestampToMs } from '@logtool/kube/src/values/timestamp.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bodyOf, type NodeUnderTest, startNode } from '../../test/support/node-under-test.ts';

function entryOf(line: string) {
  const [, time = '', tag, message = ''] = /^(\S+) std(?:out|err) ([PF]) (.*)$/s.exec(line) ?? [];
  const at = parseTimestamp(time);
  if (at === undefined) throw new Error(`no entry: ${line}`);
  return { at, text: tag === 'P' ? message : `${message}\n` };
}

/** Computes the kubelet's answer in the simplest way: whole file, strings, regular expressions. */
function plainAnswer(
  file: string,
  options: { stamps: boolean; tail?: number; sinceMs?: number; limit?: number },
): string {
  const lines = file.split('\n').slice(0, -1);
  const { tail = lines.length } = options;
  let body = '';
  let atLineStart = true;
  for (const { at, text } of lines.slice(Math.max(0, lines.length - tail)).map(entryOf)) {
    const prefix = options.stamps && atLineStart ? `${formatTimestamp(at)} ` : '';
    atLineStart = text === '' || text.endsWith('\n');
    if (options.sinceMs === undefined || timestampToMs(at) >= options.sinceMs) body += prefix + text;
  }
  return body.slice(0, options.limit);
}

const START = Date.UTC(2026, 10, 21, 10) / 1000;
const entry = fc.record({
  seconds: fc.integer({ min: 0, max: 20 }).map((second) => START + second),
  nanos: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 999_999_999 }), fc.constant(120_000_000)),
  stream: fc.constantFrom('stdout' as const, 'stderr' as const),
  partial: fc.boolean(),
  length: fc.oneof(
    fc.integer({ min: 0, max: 200 }),
    fc.integer({ min: 16_000, max: 16_384 }),
    fc.constant(200_000),
  ),
  letter: fc.constantFrom('a', ' ', '\r', '\u00e9'),
});
const query = fc.record({
  stamps: fc.boolean(),
  tail: fc.option(fc.nat(60), { nil: undefined }),
  sinceSecond: fc.option(fc.nat(22), { nil: undefined }),
  limit: fc.option(fc.integer({ min: 1, max: 300_000 }), { nil: undefined }),
});

async function answer(node: NodeUnderTest, options: Readonly<Record<string, unknown>>) {
  const parameters = new URLSearchParams();
  if (options.stamps === true) parameters.set('timestamps', 'true');
  if (options.tail !== undefined) parameters.set('tailLines', String(options.tail));
  if (options.limit !== undefined) parameters.set('limitBytes', String(options.limit));
  if (typeof options.sinceMs === 'number')
    parameters.set('sinceTime', new Date(options.sinceMs).toISOString());
  const body = await bodyOf(await node.ask(`/api/v1/namespaces/lab/pods/any/log?${parameters}`));
  return body.toString('latin1');
}

it('answers any file and any query as the plainest reading does', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(entry, { maxLength: 50 }),
      query,
      async (entries, { stamps, tail, sinceSecond, limit }) => {
        const node = startNode();
        try {
          const run = node.run('lab/any');
          let file = '';
          for (const { seconds, nanos, stream, partial, length, letter } of entries) {
            const message = letter.repeat(length);
            const at = { seconds, nanos };
            node.runtime.append(run.containerId, {
              bytes: Buffer.from(message, 'latin1'),
              at,
              stream,
              partial,
            });
            file += `${formatTimestamp(at)} ${stream} ${partial ? 'P' : 'F'} ${message}\n`;
          }
          const sinceMs = sinceSecond === undefined ? undefined : (START + sinceSecond) * 1000;
          const options = {
            stamps,
            ...(tail === undefined ? {} : { tail }),
            ...(sinceMs === undefined ? {} : { sinceMs }),
            ...(limit === undefined ? {} : { limit }),
          };
          expect(await answer(node, options)).toBe(plainAnswer(file, options));
        } finally {
          await node.close();
        }
      },
    ),
    { numRuns: 60 },
  );
});

it('finds the tail of a file of many blocks', async () => {
  const node = startNode();
  const run = node.run('lab/any');
  const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index} ${'.'.repeat(index % 97)}\n`);
  node.runtime.write(run.containerId, { bytes: Buffer.from(lines.join('')) });
  for (const tail of [0, 1, 2, 1000, 7777, 19_999, 20_000, 20_001]) {
    expect(await answer(node, { tail })).toBe(tail === 0 ? '' : lines.slice(-tail).join(''));
  }
  await node.close();
});

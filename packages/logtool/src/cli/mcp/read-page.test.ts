import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { formatTimestamp, type Timestamp, timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openReader } from '../../../../../test/support/cli/open-reader.ts';
import { type PageRequest, planRead } from './plan-read.ts';
import { type KeptLines, type PageLimits, readPage } from './read-page.ts';
import type { McpReader } from './reader.ts';

const START_MS = Date.parse('2026-11-21T10:00:00Z');
const LINES = 10;
const never = new AbortController().signal;

let cluster: SimCluster;

/** `web` has line N at second N; the last two have the same time. */
beforeAll(async () => {
  const containers = [{ name: 'app', lines: [] }];
  cluster = await startSimCluster({
    scenario: {
      startDelays: 'none',
      namespaces: ['default', 'other'],
      nodes: [{ name: 'node' }],
      workloads: [
        { kind: 'Pod', name: 'web', containers },
        { kind: 'Pod', name: 'else', namespace: 'other', containers },
      ],
    },
  });
  for (const [namespace, pod] of [
    ['default', 'web'],
    ['other', 'else'],
  ] as const)
    for (let line = 0; line < LINES; line++)
      await cluster.writeLog(
        { namespace, pod, container: 'app' },
        { bytes: Buffer.from(`${pod} ${line}`), at: formatTimestamp(secondOf(Math.min(line, LINES - 2))) },
      );
}, 60_000);
afterAll(() => cluster.close());

function secondOf(line: number): Timestamp {
  return timestampFromMs(START_MS + line * 1_000);
}

interface Read {
  readonly source?: string | readonly string[];
  readonly page?: Partial<PageRequest>;
  readonly kept?: KeptLines;
  readonly limits?: Partial<PageLimits>;
  readonly reader?: Partial<McpReader>;
}

async function read({ source = 'pods/web', page = {}, kept = {}, limits = {}, reader = {} }: Read) {
  const opened = { ...(await openReader(cluster, reader.clock)), ...reader };
  const client = await opened.client();
  const plan = await planRead(opened, client, { source }, { count: 100, end: 'head', ...page });
  const bounds = { bytes: 10_000, messageBytes: 1_000, ms: 25_000, ...limits };
  return readPage(opened, client, plan, { limits: bounds, kept }, never);
}

const messagesOf = ({ lines }: Awaited<ReturnType<typeof read>>) =>
  lines.map(({ fields: { message } }) => message);

test('a page with room for all has all, and says that there is no more', async () => {
  const page = await read({});
  expect(messagesOf(page)).toEqual(Array.from({ length: LINES }, (_, line) => `web ${line}`));
  expect(page).toMatchObject({ hasMore: false, isFull: false, isStopped: false, containers: 1, dropped: 0 });
});

test.each([
  ['head', ['web 0', 'web 1', 'web 2']],
  ['tail', ['web 7', 'web 8', 'web 9']],
] as const)('a page of a count from the %s says that there is more', async (end, expected) => {
  const page = await read({ page: { count: 3, end } });
  expect([messagesOf(page), page.hasMore]).toEqual([expected, true]);
});

test('lines outside of what is kept are read and dropped, of the first time the skipped ones too', async () => {
  const page = await read({ kept: { from: secondOf(LINES - 2), skip: 1 } });
  expect([messagesOf(page), page.dropped]).toEqual([['web 9'], LINES - 1]);
  const before = await read({ kept: { to: secondOf(1) } });
  expect([messagesOf(before), before.dropped]).toEqual([['web 0', 'web 1'], LINES - 2]);
});

test('from the beginning on the records that fill a page are its last; of a tail, whose end is certain, none are', async () => {
  const head = await read({ limits: { bytes: 12 } });
  expect([messagesOf(head)[0], head.isFull, head.hasMore]).toEqual(['web 0', true, true]);
  const tail = await read({ limits: { bytes: 12 }, page: { end: 'tail' } });
  expect([messagesOf(tail).at(-1), tail.lines.length, tail.isFull]).toEqual(['web 9', LINES, false]);
});

test('a source that fails beside others is a note, one that fails as the only source an error', async () => {
  const page = await read({ source: ['pods/web', 'pods/absent'] });
  expect(page.lines).toHaveLength(LINES);
  expect(page.troubles).toMatchObject([{ type: 'failed', error: { code: 'source-not-found' } }]);
  await expect(read({ source: 'pods/absent' })).rejects.toMatchObject({ code: 'source-not-found' });
});

test('of namespaces that are not allowed nothing is read', async () => {
  const source = ['default:pods/*', 'other:pods/*'];
  expect((await read({ source })).containers).toBe(2);
  await expect(read({ source, reader: { allowedNamespaces: ['default'] } })).rejects.toMatchObject({
    code: 'namespace-not-allowed',
  });
  const page = await read({ source: '*:pods/*', reader: { allowedNamespaces: ['default'] } });
  expect([page.containers, new Set(page.lines.map(({ fields }) => fields.namespace))]).toEqual([
    1,
    new Set(['default']),
  ]);
});

test('a log that does not answer in time is an error if nothing was found', async () => {
  const clock = new FakeClock();
  cluster.inject({ kind: 'stall', match: '/log\\?', afterBytes: 0 });
  try {
    const before = cluster.requests.length;
    const outcome = read({ reader: { clock }, limits: { ms: 1_000 } }).then(
      () => 'answered',
      (error: { readonly code?: string }) => error.code,
    );
    await expect
      .poll(() => cluster.requests.slice(before).some((request) => request.includes('/log?')))
      .toBe(true);
    await clock.advance(1_000);
    expect(await outcome).toBe('read-too-slow');
  } finally {
    cluster.clearFaults();
  }
});

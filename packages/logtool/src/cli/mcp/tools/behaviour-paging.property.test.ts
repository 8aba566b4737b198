import { formatTimestamp, timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openReader } from '../../../../../../test/support/cli/open-reader.ts';
import { seeded } from '../../../../../../test/support/engine/search-logs.ts';
import { NORMAL_LINES, TRACES } from '../../../../../../test/support/records/traces.ts';
import type { McpReader } from '../reader.ts';
import { around } from './around.ts';
import { logs } from './logs.ts';

/*
 * Compares pages of logs and around with one page that has room for everything. LOGTOOL_SEED repeats a run.
 */

const WORKLOADS = 12;
const PODS = 3;
const START_MS = Date.parse('2026-11-21T10:00:00Z');
/** Seed of the logs: constant, so that the seed of its calls reproduces a failure. */
const LOGS_SEED = 1;
const ALL_BYTES = 1024 * 1024;

let cluster: SimCluster;

const PIECE = fc.record({
  lines: fc.oneof<fc.Arbitrary<readonly string[]>[]>(
    fc.constantFrom(...TRACES).map(({ lines }) => lines.slice(0, 12)),
    fc.array(fc.constantFrom(...NORMAL_LINES), { minLength: 1, maxLength: 20 }),
  ),
  // Clocks with whole seconds give many records the same time.
  stepMs: fc.constantFrom(0, 1, 20),
  gapMs: fc.constantFrom(0, 0, 5, 900, 7000),
});
const PIECES = fc.array(PIECE, { minLength: 3, maxLength: 10 });

beforeAll(async () => {
  const containers = [{ name: 'app', lines: [] }];
  const pods = Array.from({ length: WORKLOADS * PODS }, (_, index) => podOf(index));
  cluster = await startSimCluster({
    scenario: {
      startDelays: 'none',
      clusterName: 'paging',
      nodes: [{ name: 'node-a' }],
      workloads: pods.map((name) => ({ kind: 'Pod', name, containers })),
    },
  });
  const written = fc.sample(PIECES, { seed: LOGS_SEED, ...seeded(pods.length) });
  for (const [index, pieces] of written.entries()) {
    let ms = START_MS;
    for (const { lines, stepMs, gapMs } of pieces) {
      ms += gapMs;
      for (const text of lines) {
        ms += stepMs;
        const where = { namespace: 'default', pod: podOf(index), container: 'app' };
        const at = formatTimestamp(timestampFromMs(ms));
        await cluster.writeLog(where, { bytes: Buffer.from(text), at });
      }
    }
  }
}, 60_000);
afterAll(() => cluster.close());

function podOf(index: number): string {
  return `w${Math.floor(index / PODS)}-${index % PODS}`;
}

interface Page {
  readonly records: readonly {
    readonly time: string;
    readonly id?: string;
    readonly pod: string;
    readonly message: string;
  }[];
  readonly truncated: boolean;
  readonly older?: string;
  readonly newer?: string;
}

const signal = new AbortController().signal;
const parsed = (given: Readonly<Record<string, unknown>>) => logs.input.parse(given);

async function pageOf(reader: McpReader, given: Readonly<Record<string, unknown>>): Promise<Page> {
  const { structured, text } = await logs.call(reader, parsed(given), signal);
  const max = (given.max_bytes as number | undefined) ?? 16 * 1024;
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(max);
  expect(Buffer.byteLength(JSON.stringify(structured))).toBeLessThanOrEqual(max);
  return structured as unknown as Page;
}

const textsOf = ({ records }: Page) => records.map(({ time, pod, message }) => `${time} ${pod} ${message}`);

/** Reads all pages by following cursors. */
async function walk(
  reader: McpReader,
  given: Readonly<Record<string, unknown>>,
  side: 'older' | 'newer',
): Promise<readonly (readonly string[])[]> {
  const pages: (readonly string[])[] = [];
  let cursor: string | undefined;
  do {
    const page = await pageOf(reader, { ...given, ...(cursor && { cursor }) });
    pages.push(textsOf(page));
    expect(page.truncated && page[side] === cursor).toBe(false);
    cursor = page.truncated ? page[side] : undefined;
  } while (cursor !== undefined);
  return pages;
}

const SINCE = '2026-11-21T00:00:00Z';
const FILTERS = [
  {},
  { level: 'error' },
  { level: ['error', 'fatal'] },
  { grep: 'shop' },
  { grep: 'Caused by|KeyError' },
  { grep: 'at ', level: 'error' },
  { exclude: 'GET' },
] as const;
const CALL = fc.record({
  workload: fc.nat(WORKLOADS - 1),
  filter: fc.constantFrom(...FILTERS),
  max_bytes: fc.constantFrom(2000, 5000, 10_000),
});

test('cursors lead to each record once, in both directions, with filters and equal times too', async () => {
  const reader = await openReader(cluster);
  await fc.assert(
    fc.asyncProperty(CALL, async ({ workload, filter, max_bytes }) => {
      const given = { source: `pods/w${workload}-*`, ...filter };
      const all = await pageOf(reader, { ...given, since: SINCE, max_bytes: ALL_BYTES });
      expect(all.truncated).toBe(false);
      const newer = await walk(reader, { ...given, since: SINCE, max_bytes }, 'newer');
      expect(newer.flat()).toEqual(textsOf(all));
      const older = await walk(reader, { ...given, max_bytes }, 'older');
      expect(older.toReversed().flat()).toEqual(textsOf(all));
    }),
    seeded(10),
  );
}, 300_000);

test('around shows what stands beside one record of many with its time, and continues from there', async () => {
  const reader = await openReader(cluster);
  const call = async (given: Readonly<Record<string, unknown>>) =>
    (await around.call(reader, around.input.parse({ max_bytes: 60_000, ...given }), signal))
      .structured as unknown as Page;
  await fc.assert(
    fc.asyncProperty(fc.nat(WORKLOADS - 1), fc.nat(10_000), async (workload, pick) => {
      const source = `pods/w${workload}-*`;
      const all = await pageOf(reader, { source, since: SINCE, max_bytes: ALL_BYTES });
      const texts = textsOf(all);
      const record = all.records[pick % all.records.length]!;
      // Records that look the same count as one.
      const index = all.records.findIndex(({ time, id }) => time === record.time && id === record.id);
      const cursor = record.id === undefined ? record.time : `${record.time}#${record.id}`;
      const page = await call({ source, cursor, before: 3, after: 4 });
      expect(textsOf(page)).toEqual(texts.slice(Math.max(0, index - 3), index + 4));
      const on = await call({ source, cursor: page.newer, before: 2, after: 5 });
      const end = Math.min(index + 4, texts.length);
      expect(textsOf(on)).toEqual(texts.slice(Math.max(0, end - 2), end + 5));
      if (page.older === undefined) return;
      const back = await call({ source, cursor: page.older, before: 5, after: 2 });
      expect(textsOf(back)).toEqual(texts.slice(Math.max(0, index - 8), index - 1));
    }),
    seeded(10),
  );
}, 300_000);

test('records that are written later with the time of the last one are on the next page', async () => {
  const reader = await openReader(cluster);
  const where = { namespace: 'default', pod: 'w0-0', container: 'app' };
  const at = '2026-11-21T11:00:00.000000001Z';
  const write = (text: string) => cluster.writeLog(where, { bytes: Buffer.from(text), at });
  for (let number = 0; number < 30; number++) await write(`ERROR late ${number}`);
  for (const given of [{ grep: 'late' }, { grep: 'late', since: SINCE }, { level: 'error' }, {}]) {
    const page = await pageOf(reader, { source: 'pods/w0-0', max_bytes: 2000, ...given });
    let last = page;
    while (last.truncated && 'since' in given)
      last = await pageOf(reader, { source: 'pods/w0-0', ...given, cursor: last.newer });
    const text = `ERROR late one ${JSON.stringify(given)}`;
    await write(text);
    const next = await pageOf(reader, { source: 'pods/w0-0', ...given, cursor: last.newer });
    expect(next.records.map(({ message }) => message)).toEqual([text]);
  }
});

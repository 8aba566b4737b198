import { FakeClock, systemClock } from '@logtool/kube/src/values/clock.ts';
import { count } from '@logtool/logtool/src/cli/mcp/tools/count.ts';
import { run } from '@logtool/logtool/src/cli/run.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { capture } from '../../support/cli/capture.ts';
import { expectGolden } from '../../support/cli/golden.ts';
import { openReader } from '../../support/cli/open-reader.ts';
import { TRACES } from '../../support/records/traces.ts';

/* What a terminal shows of stack traces while lines are filtered: two containers write at the same time. */

const JAVA = TRACES[0]!;
const PYTHON = TRACES[2]!;
const JSON_RECORD = ['{', '  "msg": "loaded",', '  "pool": { "max": 60 }', '}'];
const START_MS = new FakeClock().now();
const web = [
  'level=info ready',
  ...JAVA.lines,
  'level=info again',
  ...PYTHON.lines,
  ...JSON_RECORD,
  'level=warn slow',
];
/** Every trace, between lines of the same container. */
const runtimes = ['level=info started', ...TRACES.flatMap(({ lines }) => [...lines, 'level=info goes on'])];
const lineAt = (text: string, ms: number) => ({ text, at: new Date(START_MS + ms).toISOString() });

let cluster: SimCluster;

beforeAll(async () => {
  cluster = await startSimCluster({
    scenario: {
      startDelays: 'none',
      namespace: 'shop',
      namespaces: ['shop'],
      nodes: [{ name: 'a' }],
      users: [{ name: 'somebody' }],
      workloads: [
        {
          kind: 'StatefulSet',
          name: 'web',
          containers: [{ name: 'app', lines: web.map((text, index) => lineAt(text, index * 10)) }],
        },
        {
          kind: 'StatefulSet',
          name: 'runtimes',
          containers: [{ name: 'app', lines: runtimes.map((text, index) => lineAt(text, index)) }],
        },
        {
          kind: 'StatefulSet',
          name: 'proxy',
          containers: [
            {
              name: 'app',
              lines: Array.from({ length: 12 }, (_, index) => lineAt(`GET /charge ${index}`, index * 25 + 3)),
            },
          ],
        },
      ],
    },
  });
});
afterAll(() => cluster?.close());

function shown(...flags: string[]): Promise<string> {
  return shownOf(['sts/web', 'sts/proxy'], ...flags);
}

async function shownOf(sources: readonly string[], ...flags: string[]): Promise<string> {
  const argv = ['logs', '--kubeconfig', cluster.kubeconfig, ...sources, ...flags];
  const { context, stdout, stderr } = capture(argv, { overrides: { clock: systemClock } });
  expect([await run(context), stderr()]).toEqual([0, '']);
  return stdout();
}

test.each([
  ['level', ['--level=error', '--all']],
  ['level-tail', ['--level=error', '--tail=1']],
  ['level-head', ['--level=error', '--head=1']],
  ['grep-frame', ['--grep=orders.py', '--force', '--all']],
  ['exclude', ['--level=error', '--exclude=SocketTimeout', '--all']],
  ['json', ['--grep=pool', '--force', '--all']],
  ['never', ['--level=error', '--group=never', '--all']],
] as const)('%s', async (name, flags) => {
  await expectGolden(`records/${name}.txt`, await shown(...flags));
});

test('without a filter every line is shown, grouped or not', async () => {
  const all = await shown('--all', '--raw');
  expect(all.trimEnd().split('\n')).toHaveLength(web.length + 12);
  expect(await shown('--all', '--raw', '--group=always')).toBe(all);
});

test('--count counts the records that --all shows, once and at the time of their heads, and so does the tool of assistants', async () => {
  const RANGE = ['--since', new Date(START_MS).toISOString(), '--bucket', '1s'];
  const filter = ['--level', 'error', '-g', 'Read timed out', '--force'];
  const [head] = JAVA.lines as [string];
  expect(await shown('--all', ...filter, '--hide-header')).toContain(head);
  const counted = JSON.parse(await shown('--count', '-ojson', ...filter, ...RANGE));
  // The JSON value and both traces are one record each.
  expect([counted.records, counted.matches]).toEqual([6 + 12, 1]);
  expect(counted.buckets[0]).toMatchObject({ records: 18, matches: 1, levels: { error: 1, none: 0 } });
  expect(await shown('--count', ...filter, ...RANGE)).toMatch(/^FROM +ERROR +MATCHES +RECORDS\n/);
  expect((await shown('--first', ...filter, '--hide-header')).split('\n')[0]).toContain(head);

  const reader = await openReader(cluster);
  const given = {
    source: ['shop:sts/web', 'shop:sts/proxy'],
    level: 'error',
    grep: 'Read timed out',
    bucket: '1s',
  };
  const { structured } = await count.call(reader, count.input.parse(given), new AbortController().signal);
  expect(structured).toMatchObject({ records: 18, matches: 1 });

  const lines = JSON.parse(await shown('--count', '--group=never', '-ojson', ...filter, ...RANGE));
  expect([lines.lines, lines.matches]).toEqual([web.length + 12, 0]);
  expect(await shown('--count', '--group=never', ...RANGE)).toMatch(/ LINES\n/);
});

test('the traces of current runtimes are errors as a whole, in filters and counts', async () => {
  const errors = TRACES.filter(({ level }) => level === 'error' || level === 'fatal');
  const raw = (...flags: string[]) => shownOf(['sts/runtimes'], '--raw', ...flags);
  const text = (lines: readonly string[]) => `${lines.join('\n')}\n`;
  expect(await raw('--all', '--level=error,fatal')).toBe(text(errors.flatMap(({ lines }) => lines)));
  const counted = JSON.parse(await shownOf(['sts/runtimes'], '--count', '-ojson'));
  const counts = counted.buckets.map((bucket: { levels: { error: number } }) => bucket.levels.error);
  expect(counts.reduce((sum: number, one: number) => sum + one, 0)).toBe(
    errors.filter(({ level }) => level === 'error').length,
  );
  expect(counted.records).toBe(2 * TRACES.length + 1);
});

test.each([
  ['the message of Spring Boot', 'ord_77 failed', 'a Spring Boot exception below an empty line'],
  [
    'a cause of Spring Boot',
    'SocketTimeoutException: connect timed out',
    'a Spring Boot exception below an empty line',
  ],
  ['a method of Ruby 3.4', "in 'Cart#name'", 'a Ruby 3.4 exception with a suggestion'],
  ['a line of Ruby that raised', 'when .name. then', 'a Ruby 3.4 exception with a suggestion'],
] as const)('a pattern that matches %s shows the whole trace', async (_, pattern, name) => {
  const lines = TRACES.find((trace) => trace.name === name)!.lines;
  const out = await shownOf(['sts/runtimes'], '--raw', '--all', '--force', '-g', pattern);
  expect(out).toBe(`${lines.join('\n')}\n`);
});

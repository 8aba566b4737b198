import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, systemClock } from '@logtool/kube/src/values/clock.ts';
import { run } from '@logtool/logtool/src/cli/run.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { capture } from '../../support/cli/capture.ts';
import { type HelmCluster, quickClock, startHelmCluster } from '../../support/helm/cluster.ts';
import { TINY, writeChart } from '../../support/helm/tiny-chart.ts';

/** Twenty times as fast as the machine's clock: kubelets wait ten seconds or more before they pull again. */
const fastClock: Clock = {
  now: () => STARTED + (systemClock.now() - STARTED) * 20,
  steady: () => systemClock.steady() * 20,
  after: (delayMs, callback) => systemClock.after(delayMs / 20, callback),
};
const STARTED = systemClock.now();

/* Where the dashboard's image comes from, and what happens if it cannot be pulled. */
const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;
let cluster: HelmCluster;
beforeAll(async () => {
  const scenario = {
    nodes: [{ name: 'node-1' }],
    startDelays: 'none',
    registries: [
      { image: 'nowhere.lan/absent:*', answers: 'not-found' },
      { image: 'nowhere.lan/private:*', answers: 'denied' },
      { image: 'nowhere.lan/late:*', answers: 'busy' },
      { image: 'nowhere.lan/away:*', answers: 'refused' },
      { image: 'nowhere.lan/soon:*', answers: 'refused', times: 1 },
    ],
  };
  cluster = await startHelmCluster(scenario, quickClock, fastClock);
});
afterAll(() => cluster.close());

/** Runs a command line; its clock advances an hour as soon as its output matches `untilReported`. */
async function command(argv: readonly string[], untilReported = /$^/) {
  const hour = () => (untilReported.test(world.stderr()) ? 3_600_000 : 0);
  const clock: Clock = {
    now: () => systemClock.now() + hour(),
    // Time that a registry has been unreachable: other tests check that nobody waits too long.
    steady: hour,
    after: quickClock.after,
  };
  const world = capture(['cluster', ...argv, '--kubeconfig', cluster.sim.kubeconfig], {
    home: cluster.home,
    env: { LOGTOOL_REPO_OFFLINE: 'true' },
    overrides: { clock },
  });
  const code = await run(world.context);
  return { code, out: world.stdout(), err: world.stderr() };
}
const logtool = (...argv: readonly string[]) => command(argv);
const on = (name: string) => ['--name', name, '-n', name];
const dry = (...argv: readonly string[]) => logtool('install', '--dry-run', ...argv);
const shown = ({ out }: { readonly out: string }) => [
  /^ +image: "?(.*?)"?$/m.exec(out)?.[1],
  /^ +imagePullPolicy: (.*)$/m.exec(out)?.[1],
];
async function valuesOf(name: string) {
  return JSON.parse(await cluster.helm('4.1.4', 'get', 'values', name, '-n', name, '-o', 'json')) as unknown;
}

describe('--image and --image-pull-policy', () => {
  test.each([
    ['logtool:dev', 'logtool:dev'],
    ['registry.lan:5000/team/logtool:1.2', 'registry.lan:5000/team/logtool:1.2'],
    ['registry.lan/logtool', 'registry.lan/logtool:latest'],
    [`registry.lan/logtool:1.2@${DIGEST}`, `registry.lan/logtool@${DIGEST}`],
  ])('%s is what the nodes are asked to pull', async (reference, pulled) => {
    const ran = await dry('--image', reference, '--image-pull-policy', 'always');
    expect(ran.code).toBe(0);
    expect(shown(ran)).toEqual([pulled, 'Always']);
  });

  test('win over a file of values, the registry of all images included', async () => {
    const file = join(cluster.home, 'values.yaml');
    await writeFile(
      file,
      `image: {tag: "9", digest: "${DIGEST}", pullPolicy: Never, pullSecrets: [mine]}\nglobal: {imageRegistry: other.lan}\n`,
    );
    const ran = await dry('-f', file, '--image=registry.lan/logtool:1', '--image-pull-policy=IfNotPresent');
    expect(shown(ran)).toEqual(['registry.lan/logtool:1', 'IfNotPresent']);
    expect(ran.out).toContain('- name: "mine"');
    expect(shown(await dry('-f', file, '--image-pull-policy=Always'))[0]).toContain(`@${DIGEST}`);
  });

  test.each([
    [['--image=a:1', '--set', 'image.tag=2'], '--image and --set image.tag exclude each other'],
    [
      ['--image=a:1', '--set-string', 'image.registry=b'],
      '--image and --set image.registry exclude each other',
    ],
    [
      ['--image=a:1', '--set-json', 'global={"imageRegistry":"b"}'],
      '--image and --set global.imageRegistry exclude each other',
    ],
    [
      ['--image-pull-policy=Never', '--set', 'image.pullPolicy=Always'],
      '--image-pull-policy and --set image.pullPolicy exclude each other',
    ],
    [['--image', 'Not:An:Image'], 'bad value of --image: Not:An:Image\n  why: '],
    [['--image-pull-policy', 'sometimes'], 'it must be one of'],
  ])('%j is a usage error', async (flags, expected) => {
    const ran = await dry(...flags);
    expect(ran).toMatchObject({ code: 2, out: '' });
    expect(ran.err).toContain(expected);
  });

  test('stand beside --set for other values of the image', async () => {
    const ran = await dry('--image=a:1', '--set', 'image.pullPolicy=Never,image.pullSecrets={mine}');
    expect(shown(ran)).toEqual(['a:1', 'Never']);
  });

  test('are refused for another chart, whose values they do not know', async () => {
    const tiny = await writeChart(join(cluster.home, 'tiny'), TINY);
    const ran = await dry('--chart', tiny, '--image=a:1');
    expect(ran.code).toBe(2);
    expect(ran.err).toContain('--image does not work with the chart tiny');
  });

  test('of an upgrade do not change the other values of the release', async () => {
    await logtool('install', ...on('keeps'), '--set', 'dashboard.logLevel=debug', '--no-wait');
    const ran = await logtool('upgrade', ...on('keeps'), '--image=registry.lan/logtool:2', '--no-wait');
    expect([ran.code, ran.err]).toEqual([0, expect.anything()]);
    const image = { registry: 'registry.lan', repository: 'logtool', tag: '2', digest: '' };
    expect(await valuesOf('keeps')).toEqual({ dashboard: { logLevel: 'debug' }, image });
    await logtool('upgrade', ...on('keeps'), '--image-pull-policy=Never', '--no-wait');
    expect(await valuesOf('keeps')).toEqual({
      dashboard: { logLevel: 'debug' },
      image: { ...image, pullPolicy: 'Never' },
    });
    await logtool('upgrade', ...on('keeps'), '--image=a:3', '--reset-values', '--no-wait');
    expect(await valuesOf('keeps')).toEqual({
      image: { registry: '', repository: 'a', tag: '3', digest: '' },
    });
  });
});

test.each([
  [[], /^image: ghcr\.io\/logtool\/logtool:\S+, which the nodes pull from ghcr\.io unless they have it$/m],
  [['--image=a:1'], /^image: a:1, which the nodes pull from docker\.io unless they have it$/m],
  [
    ['--image=lan:5000/a', '--image-pull-policy=Always'],
    /^image: lan:5000\/a:latest, which the nodes pull from lan:5000$/m,
  ],
  [
    ['--image=a:1', '--image-pull-policy=Never'],
    /^image: a:1, which each node must have \(pull policy Never\)$/m,
  ],
])('install %j says where the image comes from before it applies anything', async (flags, expected) => {
  const name = `from-${flags.length}-${flags.join('').replace(/\W+/g, '-').toLowerCase()}`
    .slice(0, 40)
    .replace(/-$/, '');
  const { code, err } = await logtool('install', ...on(name), ...flags, '--no-wait');
  expect(code).toBe(0);
  expect(err).toMatch(expected);
  expect(err.search(expected)).toBeLessThan(err.indexOf('applied '));
});

describe('an image that the nodes cannot pull', () => {
  const next = (name: string) =>
    `  next: name an image that the nodes can pull: logtool cluster upgrade --name ${name} -n ${name} --kubeconfig ${cluster.sim.kubeconfig} --image REF\n`;

  test.each([
    [
      'absent',
      'the nodes cannot pull the image nowhere.lan/absent:1',
      /: nowhere\.lan\/absent:1: not found$/m,
    ],
    ['private', 'the nodes cannot pull the image nowhere.lan/private:1', /403 Forbidden$/m],
  ])('ends the install at the first refusal: %s', async (name, what, why) => {
    const { code, out, err } = await logtool('install', ...on(name), `--image=nowhere.lan/${name}:1`);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(
      `error: ${what}\n  why: the container dashboard of the pod logtool-`.replace('logtool-', ''),
    );
    expect(err).toMatch(why);
    expect(err).toContain(next(name));
    expect(err).toMatch(/ create secret docker-registry NAME -n /);
    expect(err).toMatch(/npm run build:image/);
    expect((await logtool('history', ...on(name))).out).toContain('cannot pull the image');
    // Its advice works.
    const repaired = await logtool('upgrade', ...on(name), '--image=tools:1');
    expect(repaired).toMatchObject({ code: 0, out: expect.stringContaining('-> ') });
  });

  test('is distinguished from one that the pull policy keeps away', async () => {
    const never = await logtool(
      'install',
      ...on('never'),
      '--image=nowhere.lan/absent:1',
      '--image-pull-policy=Never',
    );
    expect(never.err).toContain(
      'error: a node does not have the image nowhere.lan/absent:1, and the pull policy is Never\n',
    );
    expect(never.err).toContain('or let the nodes pull it: the same with --image-pull-policy IfNotPresent\n');
  });

  test('is no failure where the next pull succeeds, and a warning says what to do meanwhile', async () => {
    const { code, err } = await logtool('install', ...on('soon'), '--image=nowhere.lan/soon:1');
    expect(code).toBe(0);
    expect(err).toMatch(
      /^warning: the nodes cannot pull the image nowhere\.lan\/soon:1: Head .*: connection refused; the kubelet tries again\n {2}next: name an image that the nodes can pull: /m,
    );
    expect(err.match(/^warning:/gm)).toHaveLength(1);
  });

  test('is waited for where its registry asks to come back, and is what the wait fails for', async () => {
    const { code, err } = await logtool(
      'install',
      ...on('late'),
      '--image=nowhere.lan/late:1',
      '--timeout=2s',
    );
    expect(code).toBe(1);
    expect(err).toMatch(/^warning: .*429 Too Many Requests; the kubelet tries again$/m);
    expect(err).toMatch(/^error: the nodes cannot pull the image nowhere\.lan\/late:1$/m);
  });

  test('is waited for a while where its registry is out of reach, and then ends the install', async () => {
    const { code, err } = await command(
      ['install', ...on('away'), '--image=nowhere.lan/away:1'],
      /^warning:/m,
    );
    expect(code).toBe(1);
    expect(err).toMatch(/^warning: .*connection refused; the kubelet tries again$/m);
    expect(err).toMatch(/^error: the nodes cannot pull the image nowhere\.lan\/away:1$/m);
  });

  test('is taken back with --atomic, and the advice stays', async () => {
    const { err } = await logtool('install', ...on('back'), '--image=nowhere.lan/absent:2', '--atomic');
    expect(err).toContain('error: the installation of back failed; ');
    expect(err).toMatch(/next: name an image that the nodes can pull: logtool cluster install .*--image REF/);
  });

  test('does not fail an upgrade at once for a pod that was refused before it: the image may be there now', async () => {
    const first = await logtool('install', ...on('once'), '--image=nowhere.lan/absent:3');
    expect([first.code, first.err]).toEqual([1, expect.stringContaining('cannot pull the image')]);
    // Pods created in the same second would count as new ones.
    for (const pod of cluster.sim.store.list('pods', 'once'))
      cluster.sim.store.update('pods', 'once', pod.metadata.name, (one) => {
        one.metadata.creationTimestamp = '2026-01-01T00:00:00Z';
        return undefined;
      });
    const second = await command(['upgrade', ...on('once')], /could not pull its image/);
    expect(second.err).toMatch(
      /^warning: the container dashboard of the pod once-logtool-\S+ could not pull its image nowhere\.lan\/absent:3 before this command; the kubelet tries again within 5 minutes\n {2}next: to try again now: kubectl delete pod once-logtool-\S+ -n once$/m,
    );
    expect(second.err).toMatch(/^error: the nodes cannot pull the image nowhere\.lan\/absent:3$/m);
  });
});

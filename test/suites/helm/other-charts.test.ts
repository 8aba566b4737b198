import { join } from 'node:path';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { run } from '@logtool/logtool/src/cli/run.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { capture } from '../../support/cli/capture.ts';
import { type HelmCluster, startHelmCluster } from '../../support/helm/cluster.ts';
import { hook, TINY, writeChart } from '../../support/helm/tiny-chart.ts';

/* logtool's own releases, releases of other charts, and what a dry run leaves unchanged. */
const HOOKS = { ...hook('pre-delete'), ...hook('post-delete') };
const OWN = { ...TINY, ...HOOKS, 'Chart.yaml': 'apiVersion: v2\nname: logtool\nversion: 0.1.0\n' };
let cluster: HelmCluster;
let own = '';
let tiny = '';
beforeAll(async () => {
  cluster = await startHelmCluster({
    nodes: [{ name: 'node-1' }],
    namespaces: ['default', 'team'],
    startDelays: 'none',
  });
  own = await writeChart(join(cluster.home, 'logtool'), OWN);
  tiny = await writeChart(join(cluster.home, 'tiny'), TINY);
  await cluster.helm('4.1.4', 'install', 'ours', own, '-n', 'default');
  await cluster.helm('4.1.4', 'upgrade', 'ours', own, '-n', 'default', '--set', 'extra=true');
  await cluster.helm('3.17.2', 'install', 'theirs', tiny, '-n', 'default');
  await cluster.helm('3.17.2', 'upgrade', 'theirs', tiny, '-n', 'default', '--set', 'message=two');
});
afterAll(() => cluster.close());

async function logtool(argv: readonly string[], terminal = false) {
  const { context, stdout, stderr } = capture(['cluster', ...argv, '--kubeconfig', cluster.sim.kubeconfig], {
    terminal,
    home: cluster.home,
    overrides: { clock: systemClock },
  });
  const code = await run(context);
  return { code, out: stdout(), err: stderr() };
}
const on = (name: string) => ['--name', name, '-n', 'default'];
/** Returns the cluster's state without the objects that controllers keep changing. */
const state = () =>
  ['secrets', 'configmaps', 'deployments.apps', 'jobs.batch', 'namespaces'].flatMap((resource) =>
    cluster.sim.store
      .list(resource)
      .map(({ metadata }) => [
        resource,
        metadata.namespace,
        metadata.name,
        metadata.uid,
        metadata.generation,
      ]),
  );

test("list shows logtool's own releases; --all those of every chart, which a terminal mentions", async () => {
  const names = (text: string) => (JSON.parse(text) as { name: string }[]).map(({ name }) => name);
  const json = ['list', '-o', 'json'];
  expect(names((await logtool(json)).out)).toEqual(['ours']);
  expect(names((await logtool([...json, '--all'])).out)).toEqual(['ours', 'theirs']);
  expect((await logtool(['list'], true)).err).toBe('1 release of other charts not shown (--all)\n');
  expect((await logtool(['list'])).err).toBe('');
  expect((await logtool(['list', '--all'], true)).err).toBe('');
  expect((await logtool(['list', '-n', 'team'])).out).toBe('no releases\n');
});

describe.each(['upgrade', 'rollback', 'uninstall'])('%s', (verb) => {
  test("changes another chart's release only with --any-chart, and says so", async () => {
    const before = state();
    const from = cluster.sim.requests.length;
    const chart = verb === 'upgrade' ? ['--chart', tiny] : [];
    const refused = await logtool([verb, ...on('theirs'), ...chart]);
    expect(refused).toEqual({
      code: 2,
      out: '',
      err: [
        'error: the release theirs in the namespace default uses the chart tiny-0.1.0, not logtool',
        `  why: without --any-chart, ${verb} changes only releases of logtool; logtool changed nothing`,
        `  next: to ${verb} it anyway, add --any-chart to the same command`,
        '',
      ].join('\n'),
    });
    expect(state()).toEqual(before);
    expect(cluster.sim.requests.slice(from).filter((request) => !request.startsWith('GET '))).toEqual([]);
    const allowed = await logtool([verb, ...on('theirs'), ...chart, '--any-chart', '--dry-run']);
    expect(allowed).toMatchObject({ code: 0 });
  });
});

describe('--dry-run', () => {
  const deployment = 'Deployment "ours-web" in namespace "default"';
  test.each([
    ['install', () => ['--name', 'new', '-n', 'newer', '--chart', own], /^---\n.*kind: Deployment/s, /^$/],
    ['upgrade', () => [...on('ours'), '--chart', own, '--set', 'replicas=3'], /replicas: 3/, /^$/],
    [
      'rollback',
      () => on('ours'),
      /^---\n(?!.*ours-extra).*kind: Deployment/s,
      /^would make this revision 3 of the release ours in the namespace default: Rollback to 1\n$/,
    ],
    [
      'uninstall',
      () => on('ours'),
      new RegExp(
        `^would run the pre-delete hook ours-pre-delete\nwould delete ${deployment}\n(would (delete|keep) ConfigMap .*\n)+would run the post-delete hook ours-post-delete\nwould uninstall the release ours in the namespace default\ndry run: logtool changed nothing\n$`,
      ),
      /^$/,
    ],
  ] as const)(
    'of %s prints what it would do and sends only reading requests',
    async (verb, flags, out, err) => {
      const before = state();
      const from = cluster.sim.requests.length;
      const ran = await logtool([verb, ...flags(), '--dry-run']);
      expect(ran).toEqual({ code: 0, out: expect.stringMatching(out), err: expect.stringMatching(err) });
      expect(state()).toEqual(before);
      const sent = cluster.sim.requests.slice(from);
      expect(sent.length).toBeGreaterThan(0);
      expect(sent.filter((request) => !request.startsWith('GET '))).toEqual([]);
    },
  );

  test('of uninstall names exactly what uninstall then deletes and keeps', async () => {
    await cluster.helm('4.1.4', 'install', 'gone', own, '-n', 'default', '--set', 'extra=true');
    const dry = await logtool(['uninstall', ...on('gone'), '--dry-run']);
    const real = await logtool(['uninstall', ...on('gone')]);
    const objects = (text: string) =>
      [...text.matchAll(/^(?:would )?(delete|keep|kept|deleted)d? (\S+ ".*" in namespace ".*?")/gm)].map(
        ([, verb, object]) => `${verb === 'kept' ? 'keep' : verb?.slice(0, 6)} ${object}`,
      );
    expect(objects(dry.out)).toContain('keep ConfigMap "gone-kept" in namespace "default"');
    expect(objects(dry.out).toSorted()).toEqual(objects(real.err).toSorted());
  });
});

test('an error on a release of another chart advises the command with --any-chart', async () => {
  const exists = await logtool(['install', ...on('theirs'), '--chart', tiny]);
  expect(exists.code).toBe(1);
  expect(exists.err).toMatch(
    /change it with: logtool cluster upgrade --name theirs -n default --any-chart .*--chart PATH; or/,
  );
});

test('--atomic takes a release of another chart back without --any-chart', async () => {
  const broken = await writeChart(join(cluster.home, 'broken'), {
    ...TINY,
    'templates/broken.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}-broken}\nsurprise: true\n',
  });
  const ran = await logtool(['install', ...on('taken'), '--chart', broken, '--atomic']);
  expect(ran.err).toContain('logtool removed its other objects (--atomic)');
  expect((await logtool(['list', '--all'])).out).not.toContain('taken');
});

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { run } from '@logtool/logtool/src/cli/run.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { capture } from '../../support/cli/capture.ts';
import { type HelmCluster, startHelmCluster } from '../../support/helm/cluster.ts';
import { hook, TINY, writeChart } from '../../support/helm/tiny-chart.ts';
import { HELM_VERSIONS, helm } from '../../support/oracles/helm.ts';

const SOURCE = { ...TINY, ...hook('pre-install'), ...hook('test') };
let cluster: HelmCluster;
let folder = '';
beforeAll(async () => {
  cluster = await startHelmCluster({
    nodes: [{ name: 'node-1' }],
    namespaces: ['default', 'team'],
    users: [
      {
        name: 'member',
        namespace: 'team',
        rules: [{ namespace: 'team', resources: ['secrets'], verbs: ['list'] }],
      },
    ],
  });
  folder = await writeChart(join(cluster.home, 'tiny'), SOURCE);
});
afterAll(() => cluster.close());

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}
/** Runs a command line on the cluster. */
async function logtool(
  argv: readonly string[],
  { env = {}, terminal = false }: { env?: Record<string, string>; terminal?: boolean } = {},
): Promise<Ran> {
  const { context, stdout, stderr } = capture(['cluster', ...argv, '--kubeconfig', cluster.sim.kubeconfig], {
    terminal,
    env,
    home: cluster.home,
    overrides: { clock: systemClock },
  });
  const code = await run(context);
  return { code, out: stdout(), err: stderr() };
}
const on = (name: string) => ['--name', name, '-n', 'default'];
const chart = () => ['--chart', folder];

describe.each(HELM_VERSIONS)('as helm %s', (version) => {
  test('--dry-run prints what helm template prints, whether there is such a release or not', async () => {
    const expected = await cluster.helm(version, 'template', 'dry', folder, '--namespace', 'default');
    const dry = await logtool(['install', ...on('dry'), ...chart(), '--dry-run']);
    expect(dry).toMatchObject({ code: 0, out: expected });
  });

  test('HELM_DRIVER=configmap keeps releases where helm finds them, and finds those of helm', async () => {
    const env = { HELM_DRIVER: 'configmap' };
    const name = `maps-${version.startsWith('3') ? 'three' : 'four'}`;
    const real = async (...args: string[]) => {
      const ran = await helm(version, [...args, '--namespace', 'default'], {
        home: cluster.home,
        kubeconfig: cluster.sim.kubeconfig,
        env,
      });
      if (ran.exitCode !== 0) throw new Error(ran.stderr);
      return ran.stdout.toString();
    };
    expect(await logtool(['install', ...on(name), ...chart()], { env })).toMatchObject({ code: 0 });
    expect(cluster.sim.store.get('configmaps', 'default', `sh.helm.release.v1.${name}.v1`)).toBeDefined();
    expect(await real('list', '-q', '--filter', name)).toBe(`${name}\n`);
    await real('upgrade', name, folder, '--set', 'message=theirs');
    const { out } = await logtool(['history', ...on(name), '-o', 'json'], { env });
    expect((JSON.parse(out) as { status: string }[]).map(({ status }) => status)).toEqual([
      'superseded',
      'deployed',
    ]);
    expect((await logtool(['list', '--all', '-n', 'default', '-o', 'json'])).out).not.toContain(name);
    expect(await logtool(['uninstall', '--any-chart', ...on(name)], { env })).toMatchObject({ code: 0 });
  });
});

test('a driver that logtool does not have is named', async () => {
  const { code, err } = await logtool(['list'], { env: { HELM_DRIVER: 'sql' } });
  expect(code).toBe(2);
  expect(err).toContain('HELM_DRIVER is "sql"');
});

test.each([
  ['is empty', ''],
  ['has remarks alone', '# message: theirs\n'],
  ['is an empty map', '{}\n'],
])('an upgrade keeps the previous values with a file that %s, as helm does', async (what, text) => {
  const name = `file-${what.replaceAll(' ', '-')}`;
  const file = join(cluster.home, `${name}.yaml`);
  await writeFile(file, text);
  await logtool(['install', ...on(name), ...chart(), '--set', 'message=mine', '--no-wait']);
  const upgraded = await logtool([
    'upgrade',
    '--any-chart',
    ...on(name),
    ...chart(),
    '-f',
    file,
    '--no-wait',
  ]);
  expect(upgraded).toMatchObject({ code: 0 });
  const values = ['get', 'values', name, '--namespace', 'default', '-o', 'json'];
  for (const version of HELM_VERSIONS) {
    expect(JSON.parse(await cluster.helm(version, ...values))).toEqual({ message: 'mine' });
    await cluster.helm(version, 'upgrade', name, folder, '--namespace', 'default', '-f', file);
    expect(JSON.parse(await cluster.helm(version, ...values))).toEqual({ message: 'mine' });
  }
});

test('--reset-values drops the previous ones, as helm does', async () => {
  await logtool(['install', ...on('resets'), ...chart(), '--set', 'message=mine', '--no-wait']);
  const get = ['get', 'values', 'resets', '--namespace', 'default', '-o', 'json'];
  const reset = ['upgrade', '--any-chart', ...on('resets'), ...chart(), '--no-wait', '--reset-values'];
  expect(await logtool(reset)).toMatchObject({ code: 0 });
  expect(JSON.parse(await cluster.helm('4.1.4', ...get)) ?? {}).toEqual({});
  expect(await logtool([...reset, '--set', 'replicas=2'])).toMatchObject({ code: 0 });
  expect(JSON.parse(await cluster.helm('4.1.4', ...get))).toEqual({ replicas: 2 });
});

test('an upgrade without values keeps the previous ones, as helm does', async () => {
  await logtool(['install', ...on('keeps'), ...chart(), '--set', 'message=mine', '--no-wait']);
  expect(await logtool(['upgrade', '--any-chart', ...on('keeps'), ...chart(), '--no-wait'])).toMatchObject({
    code: 0,
  });
  expect(cluster.sim.store.get('configmaps', 'default', 'keeps-config')?.data).toMatchObject({
    message: 'mine',
  });
});

describe('list', () => {
  test('shows what is readable, names what is not, and lists all namespaces unless one is given', async () => {
    await logtool(['install', ...on('seen'), ...chart(), '--no-wait']);
    await logtool(['install', '--name', 'other', '-n', 'team', ...chart(), '--no-wait']);
    cluster.sim.store.create('secrets', {
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'helm.sh/release.v1',
      metadata: {
        namespace: 'team',
        name: 'sh.helm.release.v1.bad\u001b[31m.v1',
        labels: { owner: 'helm', name: 'bad', version: '1', status: 'deployed' },
      },
      data: { release: Buffer.from('H4sIAAAAgarbage').toString('base64') },
    });
    const all = await logtool(['list', '--all', '-o', 'json']);
    const rows = JSON.parse(all.out) as { name: string; namespace: string }[];
    expect(rows.map(({ name, namespace }) => `${namespace}/${name}`)).toEqual(
      expect.arrayContaining(['default/seen', 'team/other']),
    );
    expect(all.err).toMatch(/note: cannot read sh\.helm\.release\.v1\.bad/);
    expect(all.err).not.toContain('\u001b[31m');
    const one = await logtool(['list', '--all', '-n', 'default', '-o', 'json']);
    expect(one.out).not.toContain('"other"');
    expect(one.err).toBe('');
  });

  test('advises a user who may list in only one namespace to name it', async () => {
    const as = ['--kube-context', 'member'];
    const all = await logtool(['list', ...as]);
    expect(all.code).toBe(1);
    expect(all.err).toMatch(/list secrets/);
    expect(all.err).toMatch(/-n team/);
    expect(await logtool(['list', '--all', ...as, '-n', 'team', '-o', 'json'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('"other"'),
    });
  });
});

describe('what nobody should write', () => {
  test.each([
    ['a name that is too long', ['--name', 'x'.repeat(54)], 'cannot be the name of a release'],
    ['a name that would be a selector', ['--name', 'x,owner!=helm'], 'cannot be the name of a release'],
    ['a namespace with a slash', ['-n', '../kube-system'], 'cannot be the name of a namespace'],
    ['a namespace in capitals', ['-n', 'Team'], 'cannot be the name of a namespace'],
  ])('%s is refused by every command as a usage error', async (_, flags, expected) => {
    for (const command of ['install', 'upgrade', 'uninstall', 'rollback', 'status', 'history']) {
      const ran = await logtool([
        command,
        ...flags,
        ...(/install|upgrade/.test(command) && command !== 'uninstall' ? chart() : []),
      ]);
      expect(`${command} ${ran.code} ${ran.err}`).toContain(`${command} 2 `);
      expect(ran.err).toContain(expected);
    }
  });

  test.each([
    [['--set', 'a[']],
    [['--set', 'a[99999999999]=1']],
    [['--set-json', 'a={']],
    [['--set', 'a.b.c']],
  ])('%j is refused in words', async (flags) => {
    const { code, err } = await logtool(['install', ...on('never'), ...chart(), ...flags, '--dry-run']);
    expect(code).not.toBe(0);
    expect(err).toMatch(/^error: /m);
    expect(err).not.toContain('failed unexpectedly');
  });

  test('values that are no YAML name their file', async () => {
    await writeChart(cluster.home, { 'bad.yaml': 'a: [1\nb: }\n' });
    const { code, err } = await logtool([
      'install',
      ...on('never'),
      ...chart(),
      '-f',
      join(cluster.home, 'bad.yaml'),
    ]);
    expect(code).toBe(2);
    expect(err).toContain('bad.yaml');
  });

  test('escapes text of a chart on a terminal, and leaves it unchanged in a pipe', async () => {
    const evil = { ...TINY, 'templates/NOTES.txt': '\u001b]0;owned\u0007\u001b[2Jread me\u009b31m\n' };
    const path = await writeChart(join(cluster.home, 'evil'), evil);
    const argv = ['install', ...on('evil'), '--chart', path, '--set', 'message=\u001b[31mred'];
    const dry = await logtool([...argv, '--dry-run'], { terminal: true });
    expect(dry.out).toContain('kind: Deployment');
    expect(dry.out).not.toMatch(/[\u001b\u009b\u0007]/);
    const shown = await logtool([...argv, '--no-wait'], { terminal: true });
    expect(shown.out).toContain('read me');
    expect(shown.out).not.toMatch(/[\u001b\u009b\u0007]/);
    const json = await logtool(['status', ...on('evil'), '-o', 'json'], { terminal: true });
    expect(json.out).not.toMatch(/[\u001b\u009b\u0007]/);
    expect((JSON.parse(json.out) as { info: { notes: string } }).info.notes).toContain('\u009b31m');
  });
});

import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clusterStorage } from '@logtool/helm/src/release/cluster-storage.ts';
import type { ReleaseStatus } from '@logtool/helm/src/release/release.ts';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TINY, writeChart } from '../../support/helm/tiny-chart.ts';
import { advised, type ClusterProgram, startClusterProgram } from '../../support/program/cluster-program.ts';

let program: ClusterProgram;
let tiny = '';
beforeAll(async () => {
  program = await startClusterProgram();
  tiny = await writeChart(join(program.home, 'tiny'), {
    ...TINY,
    'templates/broken.yaml':
      '{{- if .Values.broken }}\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}-broken}\nsurprise: true\n{{- end }}\n',
  });
});
afterAll(() => program.close());

const named = (name: string) => ['--name', name, '-n', 'shop'];
const chart = () => ['--chart', tiny];

/** Runs a command that must succeed. */
async function done(...line: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await program.run(line);
  expect(`${line.join(' ')}: ${code} ${stderr}`).toMatch(/: 0 /);
  return stdout;
}
const history = async (name: string) =>
  (
    JSON.parse(await done('history', ...named(name), '-o', 'json')) as { revision: number; status: string }[]
  ).map(({ revision, status }) => `${revision} ${status}`);

/** Leaves the last revision in the state of an interrupted operation. */
async function cutOff(name: string, status: ReleaseStatus, description: string): Promise<void> {
  const storage = clusterStorage(program.client, systemClock);
  const last = (await storage.history('shop', name)).at(-1);
  if (last === undefined) throw new Error(`there is no release ${name}`);
  const info = { ...last.info, status, description };
  if (status === 'pending-upgrade' || status === 'pending-rollback')
    await storage.create({ ...last, version: last.version + 1, info });
  else await storage.update({ ...last, info });
}

describe('the advice for an interrupted release works', () => {
  const CASES: readonly (readonly [ReleaseStatus, string, string, readonly string[]])[] = [
    ['pending-install', 'Initial install underway', 'uninstall', ['1 deployed']],
    [
      'pending-upgrade',
      'Preparing upgrade',
      'rollback',
      ['1 superseded', '2 superseded', '3 superseded', '4 deployed'],
    ],
    [
      'pending-rollback',
      'Rollback to 1',
      'rollback',
      ['1 superseded', '2 superseded', '3 superseded', '4 deployed'],
    ],
    ['uninstalling', 'Deletion in progress (or silently failed)', 'uninstall', []],
    ['uninstalled', 'Uninstallation complete', 'uninstall', ['1 deployed']],
    ['failed', 'the upgrade failed: interrupted', 'upgrade', ['1 superseded', '2 superseded', '3 deployed']],
  ];

  test.each(CASES)('%s', async (status, description, verb, after) => {
    const name = `is-${status}`;
    await done('install', ...named(name), ...chart());
    if (/upgrade|rollback|failed/.test(status))
      await done('upgrade', '--any-chart', ...named(name), ...chart(), '--set', 'message=two');
    await cutOff(name, status, description);
    const where = ['--kubeconfig', program.env.KUBECONFIG, '--kube-context', 'admin'];
    const command = status === 'failed' ? 'install' : 'upgrade';
    const any = command === 'upgrade' ? ['--any-chart'] : [];
    const { code, stderr } = await program.run([command, ...any, ...named(name), ...chart(), ...where]);
    expect(code).toBe(1);
    const [first = []] = advised(stderr);
    expect(first).toEqual([verb, ...named(name), ...first.slice(5)]);
    // It names the same cluster, even if the user's current one differs.
    expect(first.join(' ')).toContain(where.join(' '));
    const line = first.map((arg) => (arg === 'PATH' ? tiny : arg));
    const ran = await program.run(line, { KUBECONFIG: '/nowhere' });
    expect(`${line.join(' ')}: ${ran.code} ${ran.stderr}`).toMatch(/: 0 /);
    if (/then install again/.test(stderr)) await done('install', ...named(name), ...chart());
    if (after.length === 0) {
      expect((await program.run(['history', ...named(name)])).stderr).toContain('does not exist');
      return;
    }
    expect(await history(name)).toEqual(after);
    const message = program.sim.store.get('configmaps', 'shop', `${name}-config`)?.data;
    const revision = status === 'pending-upgrade' || status === 'failed' ? 'two' : 'hello';
    expect(message).toMatchObject({ message: revision });
  });
});

test('ten revisions are kept, and the deployed one whatever comes after it', async () => {
  const storage = clusterStorage(program.client, systemClock);
  /** Adds further revisions directly, like many commands would; the last one has the status. */
  const further = async (count: number, before: ReleaseStatus, status: ReleaseStatus) => {
    for (let made = 1; made <= count; made++) {
      const last = (await storage.history('shop', 'long')).at(-1);
      if (last === undefined) throw new Error('there is no release long');
      const { info, version } = last;
      if (info.status === 'deployed') await storage.update({ ...last, info: { ...info, status: before } });
      await storage.create({ ...last, version: version + 1, info: { ...info, status } });
    }
  };
  await done('install', ...named('long'), ...chart());
  await further(9, 'superseded', 'deployed');
  await done('upgrade', '--any-chart', ...named('long'), ...chart(), '--no-wait');
  await done('rollback', '--any-chart', ...named('long'), '--revision=5', '--no-wait');
  expect(await history('long')).toEqual([
    ...[3, 4, 5, 6, 7, 8, 9, 10, 11].map((revision) => `${revision} superseded`),
    '12 deployed',
  ]);
  await further(9, 'deployed', 'failed');
  const broken = await program.run([
    'upgrade',
    '--any-chart',
    ...named('long'),
    ...chart(),
    '--set',
    'broken=true',
  ]);
  expect(broken.code).toBe(1);
  expect(await history('long')).toEqual([
    '12 deployed',
    ...[14, 15, 16, 17, 18, 19, 20, 21, 22].map((revision) => `${revision} failed`),
  ]);
  await done('upgrade', '--any-chart', ...named('long'), ...chart(), '--history-max=3');
  expect(await history('long')).toEqual(['12 superseded', '22 failed', '23 deployed']);
});

describe('a release of more than 1 MiB', () => {
  /** Returns the changes that the program requested from the cluster. */
  const changes = (from: number) =>
    program.sim.calls
      .slice(from)
      .filter(({ method, uri }) => method !== 'GET' && !/selfsubject\w+reviews/.test(uri))
      .map(({ method, uri }) => `${method} ${uri}`);

  test('is refused before anything is changed, and what is too large is named', async () => {
    await done('install', ...named('grows'), ...chart());
    const large = await writeChart(join(program.home, 'large'), TINY);
    await writeFile(join(large, 'noise.bin'), randomBytes(1024 * 1024));
    const from = program.sim.calls.length;
    for (const line of [
      ['install', '--name', 'fresh', '-n', 'new-place', '--chart', large],
      ['upgrade', '--any-chart', ...named('grows'), '--chart', large],
      ['upgrade', '--any-chart', ...named('grows'), '--chart', large, '--skip-preflight', '--atomic'],
    ]) {
      const { code, stdout, stderr } = await program.run(line);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(
        /^error: the release \w+ is too large for the cluster; logtool changed nothing\n {2}why: its record takes [\d,]+ bytes; an object of the cluster holds at most [\d,]+\n {2}next: exclude files of the chart with \.helmignore; the largest is noise\.bin with 1,048,576 bytes\n$/,
      );
    }
    expect(changes(from)).toEqual([]);
    expect(await history('grows')).toEqual(['1 deployed']);
    expect(program.sim.store.get('namespaces', undefined, 'new-place')).toBeUndefined();
  });

  test('is installed once what it advises is done', async () => {
    const path = join(program.home, 'large');
    await writeFile(join(path, '.helmignore'), 'noise.bin\n');
    await done('install', ...named('fits'), '--chart', path);
    expect(await history('fits')).toEqual(['1 deployed']);
  });
});

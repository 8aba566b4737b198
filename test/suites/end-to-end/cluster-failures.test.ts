import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startRepository } from '@logtool/helm/test/support/repository-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectGolden } from '../../support/cli/golden.ts';
import { type ChartSource, hook, TINY, writeChart } from '../../support/helm/tiny-chart.ts';
import { type ClusterProgram, startClusterProgram } from '../../support/program/cluster-program.ts';

/* Checks how the real process ends for each kind of failure: 2 for usage errors, 1 for all others. */
const SCENARIO = {
  seed: 1,
  startDelays: 'none',
  nodes: [{ name: 'node-a' }],
  namespaces: ['default', 'shop'],
  users: [
    {
      name: 'lister',
      namespace: 'shop',
      rules: [{ namespace: 'shop', resources: ['secrets'], verbs: ['list'] }],
    },
  ],
};
let program: ClusterProgram;
beforeAll(async () => {
  program = await startClusterProgram(SCENARIO);
});
afterAll(() => program.close());

const OBJECT = (kind: string, rest: string) =>
  `apiVersion: v1\nkind: ${kind}\nmetadata: {name: {{ .Release.Name }}-one${rest}`;
/** Charts by their defect. */
const CHARTS: Readonly<Record<string, ChartSource>> = {
  tiny: TINY,
  'no-metadata': { 'values.yaml': '{}\n' },
  library: { ...TINY, 'Chart.yaml': 'apiVersion: v2\nname: lib\nversion: 1.0.0\ntype: library\n' },
  tomorrow: {
    ...TINY,
    'Chart.yaml': 'apiVersion: v2\nname: tomorrow\nversion: 1.0.0\nkubeVersion: ">=9"\n',
  },
  syntax: { ...TINY, 'templates/a.yaml': '{{ if }}\n' },
  refuses: { ...TINY, 'templates/a.yaml': '{{ fail "set the thing" }}\n' },
  'no-yaml': { ...TINY, 'templates/a.yaml': 'a: [\n' },
  'no-kind': {
    ...TINY,
    'templates/a.yaml': 'apiVersion: example.org/v1\nkind: Nothing\nmetadata: {name: a}\n',
  },
  'bad-field': { ...TINY, 'templates/a.yaml': OBJECT('ConfigMap', '}\nsurprise: true\n') },
  taken: { ...TINY, 'templates/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: taken}\n' },
  slow: {
    ...TINY,
    'templates/a.yaml': OBJECT(
      'Pod',
      '}\nspec: {nodeSelector: {a: b}, containers: [{name: main, image: tools}]}\n',
    ),
  },
  hooked: {
    ...TINY,
    ...hook('pre-install'),
    'templates/pre-install.yaml': (hook('pre-install')['templates/pre-install.yaml'] ?? '').replace(
      'restartPolicy: Never',
      'restartPolicy: Never\n      nodeSelector: {a: b}',
    ),
  },
};
const at = (chart: string) => ['--name', chart, '-n', 'shop', '--chart', join(program.home, chart)];

const LINES: () => readonly (readonly [exit: 1 | 2, ...line: string[]])[] = () => [
  [2, 'install', 'something'],
  [2, 'install', '--revision=1'],
  [2, 'install', '--wait=perhaps'],
  [2, 'rollback', '--revision=-1'],
  [2, 'list', '--output=xml'],
  [2, 'list', '--in-cluster', '--kube-context=admin'],
  [2, 'list', '--kube-context=nobody'],
  [2, 'list', '--config', join(program.home, 'none')],
  [2, 'install', ...at('tiny'), '--set=a[=1'],
  [2, 'install', ...at('tiny'), '--set-json=a={'],
  [2, 'install', ...at('tiny'), '-f', join(program.home, 'values.yaml')],
  [1, 'install', ...at('no-metadata')],
  [1, 'install', ...at('library')],
  [1, 'install', ...at('tomorrow')],
  [1, 'install', ...at('syntax')],
  [1, 'install', ...at('refuses')],
  [1, 'install', ...at('no-yaml')],
  [1, 'install', ...at('no-kind')],
  [1, 'install', ...at('bad-field')],
  [1, 'install', ...at('taken')],
  [1, 'install', ...at('slow'), '--timeout=0s'],
  [1, 'install', ...at('hooked'), '--timeout=0s'],
  [1, 'install', ...at('slow'), '--name=again', '--timeout=0s', '--atomic'],
  [1, 'install', ...at('tiny'), '--kube-context=lister'],
  [1, 'repo', 'update'],
];

test('exit codes and words of every kind of failure', async () => {
  for (const [name, source] of Object.entries(CHARTS)) await writeChart(join(program.home, name), source);
  await writeFile(join(program.home, 'values.yaml'), 'a: [\n');
  program.sim.store.create('configmaps', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'shop', name: 'taken' },
  });
  const shown: string[] = [];
  for (const [exit, ...line] of LINES()) {
    const { code, stdout, stderr } = await program.run(line);
    const title = `logtool cluster ${line.join(' ')}`;
    expect(`${title}: ${code} ${stdout}`).toBe(`${title}: ${exit} `);
    shown.push(`$ ${title}\n${stderr}[exit ${code}]\n`);
  }
  const text = shown
    .join('\n')
    .replaceAll(program.home, 'HOME')
    .replaceAll(program.sim.kubeconfig, 'KUBECONFIG')
    .replaceAll(program.sim.server, 'SERVER')
    .replace(/(hooked-pre-install-)[a-z0-9]{5}\b/g, '$1xxxxx');
  expectGolden('cluster/failures.pipe.txt', text);
});

test('a cluster that does not answer, or does not know who asks, ends every command with 1', async () => {
  const lines = ['install', 'upgrade', 'rollback', 'uninstall', 'list', 'status', 'history'];
  program.sim.inject({ kind: 'status', status: 401 });
  for (const line of lines) {
    const { code, stdout, stderr } = await program.run([line]);
    expect([line, code, stdout]).toEqual([line, 1, '']);
    expect(stderr).toMatch(/^error: the cluster does not accept the credentials of user "admin"\n/m);
  }
  program.sim.clearFaults();
  await program.sim.stopServer();
  for (const line of lines) {
    const { code, stdout, stderr } = await program.run([line]);
    expect([line, code, stdout]).toEqual([line, 1, '']);
    expect(stderr).toMatch(/^error: .*\n {2}why: nothing listens at .*\(connection refused\)\n/m);
  }
  await program.sim.startServer();
});

test('a repository that answers with something else ends with 1', async () => {
  await using server = await startRepository({ '/index.yaml': '<html>' });
  const { code, stdout, stderr } = await program.run(['repo', 'add', server.url]);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^error: cannot use the index of http:\S+\n {2}why: /);
});

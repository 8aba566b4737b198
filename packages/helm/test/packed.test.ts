import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type InstalledPackages,
  installPacked,
  readmeExamples,
} from '../../../test/support/packages/install-packed.ts';

const CHART = {
  'Chart.yaml': 'apiVersion: v2\nname: hello\nversion: 1.0.0\n',
  'values.yaml': 'replicas: 1\n',
  'templates/config.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}}\ndata: {replicas: {{ .Values.replicas | quote }}}\n',
  'templates/NOTES.txt': '{{ .Values.replicas }} in {{ .Release.Namespace }}',
};

let packed: InstalledPackages;

beforeAll(async () => {
  packed = await installPacked('kube', 'helm');
  for (const [name, text] of Object.entries(CHART)) {
    const path = join(packed.folder, 'hello', name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
});

afterAll(() => packed.close());

test('the packed package renders a chart, by the example of its README', async () => {
  const [example = ''] = await readmeExamples('helm', 'js');
  expect(await packed.run(example)).toBe(
    [
      '---',
      '# Source: hello/templates/config.yaml',
      'apiVersion: v1',
      'kind: ConfigMap',
      'metadata: {name: hello}',
      'data: {replicas: "3"}',
      '',
      '3 in demo',
      '',
    ].join('\n'),
  );
});

test('the packed package works with releases, by the example of its README', async () => {
  const [, example = ''] = await readmeExamples('helm', 'js');
  const sim = await startSimCluster({ scenario: 'scenarios/minimal.yaml' });
  try {
    const connecting = `connect(${JSON.stringify({ kubeconfig: sim.kubeconfig })})`;
    const text = example.replace('connect()', connecting);
    expect(text).toContain(connecting);
    expect(await packed.run(text)).toBe('hello 1 deployed\nhello 2 deployed\n');
  } finally {
    await sim.close();
  }
});

test('the examples of the README have the types of the packed package', async () => {
  const examples = await readmeExamples('helm', 'js');
  expect(examples).toHaveLength(2);
  for (const example of examples) expect(await packed.check(example)).toBe('');
  expect(await packed.check(`import { render } from '@logtool/helm';\nrender(1);\n`)).toContain(
    "Argument of type 'number' is not assignable to parameter of type 'Chart'",
  );
});

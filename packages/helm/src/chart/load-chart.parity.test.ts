import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { describe, expect, it } from 'vitest';
import { helmFailed } from '../../../../test/support/helm/failed.ts';
import {
  type ChartFiles,
  templateInHelm,
  writeFiles,
} from '../../../../test/support/oracles/helm-template.ts';
import type { Chart } from './chart.ts';
import { loadChart } from './load-chart.ts';

const NAME = 'apiVersion: v2\nname: chart\nversion: 1.0.0\n';

async function load(files: ChartFiles, prepare?: (directory: string) => Promise<void>): Promise<Chart> {
  const directory = await mkdtemp(join(tmpdir(), 'logtool-load-'));
  try {
    await writeFiles(join(directory, 'chart'), files);
    await prepare?.(join(directory, 'chart'));
    return await loadChart(join(directory, 'chart'));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const refused = (why: string, where: readonly string[] = []) =>
  helmFailed('invalid-chart', { where, problem: 'refused', why });

/** Returns the refusal with Helm's message, which must exist, and the sub-charts that lead to it. */
function helmTextOf(failure: unknown): string {
  if (!(failure instanceof CodedError)) throw failure;
  const { where, problem, why } = failure.data;
  expect([failure.code, problem]).toEqual(['invalid-chart', 'refused']);
  return [...where, why].join(': ');
}

const refusal = (files: ChartFiles) => load(files).then(() => 'no refusal', helmTextOf);

const WRONG: readonly string[] = [
  'name: chart\n',
  'version: 1.0.0\napiVersion: v2\n',
  'apiVersion: v2\nname: chart\nversion: one\n',
  'apiVersion: v2\nname: chart\nversion: 1.2.3.4\n',
  'apiVersion: v2\nname: chart\nversion: 1.0.0-01\n',
  'apiVersion: v2\nname: a/b\nversion: 1.0.0\n',
  'apiVersion: v2\nname: ..\nversion: 1.0.0\n',
  `${NAME}type: other\n`,
  `${NAME}maintainers: [null]\n`,
  `${NAME}dependencies: [null]\n`,
  `${NAME}dependencies: [{name: a, version: 1, alias: a.b}]\n`,
  `${NAME}dependencies: [{name: a, version: 1}, {name: b, alias: a, version: 1}]\n`,
  `${NAME}  bad: indentation\n`,
  `${NAME}deprecated: yes please\n`,
  `${NAME}sources: x\n`,
  `${NAME}name: [x]\n`,
  `${NAME}annotations: [x]\n`,
  `${NAME}annotations: {a: [x]}\n`,
  'just text\n',
  '- a list\n',
  'a: *unknown\n',
];

describe('Chart.yaml that helm refuses', () => {
  it.each(WRONG)('%j is refused in its words', async (text) => {
    const files = { 'Chart.yaml': text, 'templates/a.yaml': 'kind: A\n' };
    const result = await templateInHelm('4.1.4', files);
    expect(result.exitCode).not.toBe(0);
    expect(result.stderr).toContain(await refusal(files));
  });
});

const RIGHT: readonly string[] = [
  NAME,
  'name: chart\nversion: 1\n',
  'apiVersion: v1\nname: 5\nversion: v1.2\nappVersion: 1.10\n',
  `${NAME}appVersion: 1234567\ndescription: true\nicon: 1e3\nhome: 1.5\n`,
  `${NAME}appVersion: "2020-01-01"\ndescription: 2020-01-01\nkubeVersion: ">=1.0.0"\n`,
  `${NAME}APPVERSION: "1"\nDescription: x\nunknown: y\n`,
  `${NAME}description: "a\\tb\\u0007c\\u00a0d\\u200be"\nkeywords: [a, 1, "b\\nc"]\n`,
  `${NAME}maintainers: [{name: a, email: b, url: c, other: d}, {name: 5}]\n`,
  `${NAME}annotations: {a: b, c: 1, d: true, e: 1.50, "f": ~}\n`,
  `${NAME}sources: [a, 1]\ndeprecated: true\ntags: x\ncondition: y\n`,
];

const SHOWN = `kind: A
shown: "{{ list .Chart.Name .Chart.Home .Chart.Sources .Chart.Version .Chart.Description .Chart.Keywords .Chart.Icon .Chart.APIVersion .Chart.Condition .Chart.Tags .Chart.AppVersion .Chart.Deprecated .Chart.KubeVersion .Chart.Type .Chart.Annotations | toJson | b64enc }}"
`;

it.each(RIGHT)('reads %j as helm does', async (text) => {
  const files = { 'Chart.yaml': text, 'templates/a.yaml': SHOWN };
  const result = await templateInHelm('4.1.4', files);
  expect(result.exitCode, result.stderr).toBe(0);
  const shown = /^shown: "(.*)"$/m.exec(result.stdout)?.[1] ?? '';
  const { metadata } = await load(files);
  const ours = [
    metadata.name,
    metadata.home ?? '',
    metadata.sources ?? [],
    metadata.version,
    metadata.description ?? '',
    metadata.keywords ?? [],
    metadata.icon ?? '',
    metadata.apiVersion,
    metadata.condition ?? '',
    metadata.tags ?? '',
    metadata.appVersion ?? '',
    metadata.deprecated ?? false,
    metadata.kubeVersion ?? '',
    metadata.type ?? '',
    metadata.annotations ?? null,
  ];
  expect(ours).toEqual(JSON.parse(Buffer.from(shown, 'base64').toString()));
});

const IGNORES: readonly string[] = [
  '*.md\n# a comment\n\n  docs/  \n',
  '/README.md\n',
  'docs/*.txt\n',
  '!README.md\n',
  '!*.md\n!*.txt\n',
  'd?cs\n',
  '[a-r]*.txt\n[^a-z]*\n',
  'a\\*b\n',
  'files/deep/\n',
  'deep\n',
  'templates/b.yaml\n',
  '\ufeff*.txt\n',
  'files/*/x.txt\n',
];

it.each(IGNORES)('leaves out what helm leaves out for .helmignore %j', async (text) => {
  const files = {
    'Chart.yaml': NAME,
    '.helmignore': text,
    'templates/a.yaml': 'kind: A\nfiles: "{{ range $name, $data := .Files }}{{ $name }},{{ end }}"\n',
    'templates/b.yaml': 'kind: B\n',
    'templates/.hidden.yaml': '{{ fail "hidden" }}',
    'README.md': 'x',
    '1.txt': 'x',
    'a*b': 'x',
    'docs/README.md': 'x',
    'docs/a.txt': 'x',
    'files/deep/x.txt': 'x',
    'files/x.txt': 'x',
  };
  const result = await templateInHelm('4.1.4', files);
  const ours = await load(files).catch(helmTextOf);
  if (typeof ours !== 'object') return expect(result.stderr).toContain(ours);
  if (result.exitCode !== 0) return expect(result.stderr).toContain('Chart.yaml');
  const names = ours.files.map(({ name }) => `${name},`).sort();
  expect(/files: "(.*)"/.exec(result.stdout)?.[1]).toBe(names.join(''));
  expect(ours.templates.some(({ name }) => name === 'templates/b.yaml')).toBe(
    result.stdout.includes('kind: B'),
  );
});

it.each(['a**b\n', '[a\n', 'a\\\n', '[]a]\n'])('refuses .helmignore %j as helm does', async (text) => {
  const files = { 'Chart.yaml': NAME, '.helmignore': text, 'templates/a.yaml': 'kind: A\n' };
  const result = await templateInHelm('4.1.4', files);
  expect(result.exitCode).not.toBe(0);
  const message = (await refusal(files)).replace('.helmignore: ', '');
  expect(result.stderr).toContain(message);
});

it('reads the requirements of apiVersion v1', async () => {
  const sub = 'apiVersion: v1\nname: sub\nversion: 1.0.0\n';
  const chart = await load({
    'Chart.yaml': 'name: chart\nversion: 1.0.0\n',
    'requirements.yaml': 'dependencies: [{name: sub, version: 1.x, condition: sub.on}]\n',
    'requirements.lock':
      'digest: x\ngenerated: "2020-01-01T00:00:00Z"\ndependencies: [{name: sub, version: 1.0.0}]\n',
    'charts/sub/Chart.yaml': sub,
  });
  expect(chart.metadata.apiVersion).toBe('v1');
  expect(chart.metadata.dependencies).toEqual([{ name: 'sub', version: '1.x', condition: 'sub.on' }]);
  expect(chart.lock?.digest).toBe('x');
  expect(chart.files.map(({ name }) => name)).toEqual(['requirements.lock', 'requirements.yaml']);
});

it.each([
  [
    'dependencies: [{name: sub, version: 1.x, condition: sub.on, tags: [t]}]\n',
    'dependencies: [{name: sub}]\n',
  ],
  ['dependencies: [{name: sub, condition: sub.on}]\n', 'dependencies: [{alias: other, version: 1.x}]\n'],
  ['dependencies: [{name: sub, version: 1.x}]\n', 'name: renamed\n'],
  ['dependencies: [{name: sub, version: 1.x}]\n', 'dependencies: []\n'],
  ['', 'version: 2.0.0\ndependencies: [{name: sub, version: 1.x}]\n'],
])('reads requirements.yaml over Chart.yaml as helm does: %j and %j', async (named, more) => {
  const files = {
    'Chart.yaml': `apiVersion: v1\nname: chart\nversion: 1.0.0\n${named}`,
    'requirements.yaml': more,
    'templates/a.yaml': 'x: {{ toJson .Chart.Dependencies }}\nn: {{ .Chart.Name }} {{ .Chart.Version }}\n',
    'charts/sub/Chart.yaml': 'apiVersion: v1\nname: sub\nversion: 1.0.0\n',
  };
  const { stdout } = await templateInHelm('4.1.4', files);
  const { dependencies = [], name, version } = (await load(files)).metadata;
  const shown = dependencies.map((one) => ({
    Alias: one.alias ?? '',
    Condition: one.condition ?? '',
    Enabled: true,
    ImportValues: [],
    Name: one.alias ?? one.name,
    Repository: '',
    Tags: one.tags ?? [],
    Version: one.version ?? '',
  }));
  expect(stdout).toContain(`x: ${JSON.stringify(shown)}\nn: ${name} ${version}\n`);
});

it('says so when a directory is no chart, and when a file is no archive', async () => {
  expect(await refusal({ 'README.md': 'x' })).toBe('Chart.yaml file is missing');
  const directory = await mkdtemp(join(tmpdir(), 'logtool-load-'));
  try {
    await writeFiles(directory, { 'values.yaml': 'a: b', 'text.tgz': 'text' });
    const [yaml, text] = [join(directory, 'values.yaml'), join(directory, 'text.tgz')];
    await expect(loadChart(yaml)).rejects.toEqual(
      refused(`file '${yaml}' seems to be a YAML file, but expected a gzipped archive`),
    );
    await expect(loadChart(text)).rejects.toEqual(
      refused(`file '${text}' does not appear to be a gzipped archive`),
    );
    await expect(loadChart('/dev/zero')).rejects.toEqual(
      refused("'/dev/zero' is neither a directory nor a file"),
    );
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});

it('follows links, but not in circles, and holds to the limits of archives', async () => {
  const files = { 'Chart.yaml': NAME, 'files/a.txt': 'a' };
  const chart = await load(files, (directory) =>
    symlink(join(directory, 'files'), join(directory, 'linked')),
  );
  expect(chart.files.map(({ name }) => name)).toEqual(['files/a.txt', 'linked/a.txt']);
  await expect(load(files, (directory) => symlink(directory, join(directory, 'files/loop')))).rejects.toEqual(
    helmFailed('invalid-chart', { where: [], problem: 'link-loop', path: 'files/loop' }),
  );
  const big = { ...files, 'big.bin': new Uint8Array(5 * 1024 * 1024 + 1) };
  await expect(load(big)).rejects.toEqual(
    refused('decompressed chart file "big.bin" is larger than the maximum file size 5242880'),
  );
});

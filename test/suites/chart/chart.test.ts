import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load, loadAll } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chartReadme } from '../../../scripts/release/chart-readme.mjs';
import { HELM_VERSIONS, helm } from '../../support/oracles/helm.ts';
import { EVERYTHING } from './everything.ts';
import { offences, type PodSpec } from './pod-security.ts';

const ROOT = join(import.meta.dirname, '../../..');
const CHART = join(ROOT, 'charts/logtool');

const CASES = [
  ['the defaults', []],
  ['everything', EVERYTHING.map((set) => `--set=${set}`)],
  ['readers of the whole cluster', ['--set=readers[0].kind=User,readers[0].name=ann']],
] as const;

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec?: PodSpec & { readonly template?: { readonly spec: PodSpec } };
  readonly automountServiceAccountToken?: boolean;
  readonly subjects?: readonly { readonly kind: string; readonly name: string }[];
  readonly roleRef?: { readonly name: string };
  readonly rules?: readonly { readonly resources: readonly string[]; readonly verbs: readonly string[] }[];
}

let home = '';
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'logtool-chart-'));
});
afterAll(() => rm(home, { recursive: true }));

async function render(args: readonly string[], version = HELM_VERSIONS[0]): Promise<readonly Manifest[]> {
  const { stdout, stderr, exitCode } = await helm(version, ['template', 'r', CHART, '-n', 'ops', ...args], {
    home,
  });
  expect([exitCode, stderr]).toEqual([0, '']);
  return (loadAll(stdout.toString()) as (Manifest | null)[]).filter((manifest) => manifest !== null);
}
const podsOf = (manifests: readonly Manifest[]) =>
  manifests.flatMap(({ kind, spec }) =>
    kind === 'Pod' ? [spec as PodSpec] : spec?.template === undefined ? [] : [spec.template.spec],
  );

describe.each(HELM_VERSIONS)('helm %s', (version) => {
  test.each(CASES)('has nothing to say against the chart with %s', async (_, args) => {
    const { stdout, exitCode } = await helm(version, ['lint', '--strict', CHART, ...args], { home });
    expect([exitCode, stdout.toString().match(/\[(INFO|WARNING|ERROR)\].*/g)]).toEqual([0, null]);
  });

  test('refuses a value that the schema does not know, and one of another type', async () => {
    for (const [arg, value] of [
      ['--set=dashboard.replica=2', 'replica'],
      ['--set=dashboard.port=80', 'port'],
      ['--set=image.pullPolicy=Sometimes', 'pullPolicy'],
    ] as const) {
      const { stderr, exitCode } = await helm(version, ['template', 'r', CHART, arg], { home });
      expect(exitCode).toBe(1);
      expect(stderr).toContain(value);
    }
  });
});

test.each(CASES)('all pods are admitted under the level "restricted" with %s', async (_, args) => {
  const pods = podsOf(await render(args));
  expect(pods).toHaveLength(2);
  for (const pod of pods) {
    expect(offences(pod)).toEqual([]);
    for (const { securityContext } of pod.containers)
      expect(securityContext?.readOnlyRootFilesystem).toBe(true);
  }
});

test('only the dashboard, which asks for it, gets the token of an account', async () => {
  for (const [, args] of CASES) {
    const manifests = await render(args);
    const accounts = manifests.filter(({ kind }) => kind === 'ServiceAccount');
    expect(accounts.map((account) => account.automountServiceAccountToken)).toEqual([false]);
    const asking = manifests.map(({ kind, spec }) => [
      kind,
      (spec?.template?.spec ?? spec)?.automountServiceAccountToken,
    ]);
    expect(asking.filter(([kind]) => kind === 'Deployment' || kind === 'Pod')).toEqual([
      ['Deployment', true],
      ['Pod', false],
    ]);
  }
});

test("nothing gives the dashboard's own account a right", async () => {
  for (const [, args] of CASES) {
    const manifests = await render(args);
    const accounts = manifests
      .filter(({ kind }) => kind === 'ServiceAccount')
      .map(({ metadata }) => metadata.name);
    expect(accounts).toEqual(['r-logtool']);
    const bound = manifests.flatMap(({ subjects = [] }) => subjects.map(({ name }) => name));
    expect(bound).not.toContain(accounts[0]);
    if (args.length === 0) expect(manifests.filter(({ kind }) => /Role/.test(kind))).toEqual([]);
  }
});

test('readers may find workloads and read their logs, and nothing else, where the dashboard shows them', async () => {
  const roles = (await render(CASES[1][1])).filter(({ kind }) => kind === 'Role');
  expect(roles.map(({ metadata }) => metadata.namespace)).toEqual(['shop', 'data']);
  for (const { rules = [] } of roles) {
    expect(new Set(rules.flatMap(({ verbs }) => verbs))).toEqual(new Set(['get', 'list', 'watch']));
    const resources = rules.flatMap((rule) => rule.resources);
    expect(resources).toContain('pods/log');
    for (const forbidden of ['secrets', 'configmaps', '*', 'pods/exec'])
      expect(resources).not.toContain(forbidden);
  }
});

test('the README matches the present values', async () => {
  expect(await readFile(join(CHART, 'README.md'), 'utf8')).toBe(chartReadme());
});

test('every value has a description, and every default is in the schema', async () => {
  const schema = JSON.parse(await readFile(join(CHART, 'values.schema.json'), 'utf8')) as Schema;
  const undescribed: string[] = [];
  const unknown: string[] = [];
  walk(schema, load(await readFile(join(CHART, 'values.yaml'), 'utf8')), '');
  expect([undescribed, unknown]).toEqual([[], []]);

  function walk(node: Schema, value: unknown, path: string): void {
    if (path !== '' && !node.description?.endsWith('.')) undescribed.push(path);
    if (node.properties === undefined) return;
    for (const name of Object.keys((value ?? {}) as object))
      if (node.properties[name] === undefined) unknown.push(`${path}.${name}`);
    for (const [name, property] of Object.entries(node.properties))
      walk(property, (value as Record<string, unknown> | undefined)?.[name], `${path}.${name}`);
  }
});

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

test('the chart names all that registries show of one', async () => {
  const chart = load(await readFile(join(CHART, 'Chart.yaml'), 'utf8')) as Record<string, unknown>;
  const fields = ['home', 'sources', 'icon', 'keywords', 'maintainers', 'kubeVersion', 'annotations', 'type'];
  expect(Object.keys(chart)).toEqual(expect.arrayContaining([...fields, 'description', 'appVersion']));
  expect(chart.maintainers).toEqual([{ name: expect.any(String), url: chart.home }]);
});

test('the chart and the program have one version', async () => {
  const chart = load(await readFile(join(CHART, 'Chart.yaml'), 'utf8')) as Record<string, string>;
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  expect([chart.version, chart.appVersion]).toEqual([version, version]);
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HELM_VERSIONS } from '../../../../test/support/oracles/helm.ts';
import {
  type ChartFiles,
  shownValues,
  templateInHelm,
  VALUES_TEMPLATE,
  writeFiles,
} from '../../../../test/support/oracles/helm-template.ts';
import type { Chart } from '../chart/chart.ts';
import { loadChart } from '../chart/load-chart.ts';
import { writeTar } from '../chart/write-tar.ts';
import { writeJson } from '../json/write-json.ts';
import type { ValueMap } from '../value/value.ts';
import { coalesceValues } from './coalesce.ts';
import { processDependencies } from './process-dependencies.ts';
import { readUserValues } from './user-values.ts';

interface Tree {
  readonly name: string;
  readonly values: object;
  readonly children: readonly Child[];
}

interface Child {
  readonly tree: Tree;
  /** The entries in Chart.yaml: none, one, or another one under an alias. */
  readonly entries: readonly object[];
  readonly isPacked: boolean;
}

/** Generates a tree's values: tables for the names of sub-charts, any value elsewhere. */
function valuesOf(names: readonly string[], withNull: boolean): fc.Arbitrary<object> {
  const leaf = fc.constantFrom<unknown>('x', 1, true, false, [1], ...(withNull ? [null] : []));
  const inner = fc.dictionary(fc.constantFrom('a', 'b', 'enabled', 'data'), leaf, {
    maxKeys: 4,
    noNullPrototype: true,
  });
  const table = fc.dictionary(
    fc.constantFrom('a', 'b', 'c', 'enabled', 'exports', 'global', 'one', 'two'),
    fc.oneof(leaf, inner),
    { maxKeys: 5, noNullPrototype: true },
  );
  return fc
    .record(
      {
        a: leaf,
        b: inner,
        global: fc.oneof({ weight: 4, arbitrary: table }, inner),
        tags: fc.dictionary(fc.constantFrom('front', 'back'), fc.boolean(), { noNullPrototype: true }),
        exports: fc.dictionary(fc.constantFrom('a', 'data'), inner, { noNullPrototype: true }),
        ...Object.fromEntries(names.map((name) => [name, table])),
      },
      { requiredKeys: [], noNullPrototype: true },
    )
    .map((values) => withTables(values, names));
}

/** Helm refuses anything but a table as a sub-chart's values, at each level. */
function withTables(values: object, names: readonly string[]): object {
  const clean = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(
          ([key, one]) =>
            !(names.includes(key) || key === 'global') || (typeof one === 'object' && one !== null),
        )
        .map(([key, one]) => [key, clean(one)]),
    );
  };
  return clean(values) as object;
}

const NAMES = ['one', 'two', 'three'];
const ALIASES = NAMES.map((name) => `${name}2`);

function entryOf(name: string, alias?: string): fc.Arbitrary<object> {
  const called = alias ?? name;
  return fc
    .record(
      {
        name: fc.constant(name),
        version: fc.constantFrom('1.x', '^1.0.0', '~1.2', '>=1', '2.x', '*'),
        repository: fc.constant(''),
        condition: fc.constantFrom(
          `${called}.enabled`,
          `${called}.enabled,b.enabled`,
          'b.enabled',
          'missing.path',
          'a',
          ' b.enabled',
        ),
        tags: fc.constantFrom(['front'], ['front', 'back'], ['other']),
        'import-values': fc.constantFrom<unknown[]>(
          ['data'],
          ['a', 'missing'],
          [
            { child: 'a', parent: 'imported.deep' },
            { child: 'exports.data', parent: '.' },
          ],
        ),
      },
      { requiredKeys: ['name', 'version', 'repository'], noNullPrototype: true },
    )
    .map((entry) => (alias === undefined ? entry : { ...entry, alias }));
}

function entriesOf(name: string, mayHaveAlias: boolean): fc.Arbitrary<readonly object[]> {
  const alias = `${name}2`;
  const aliased = [fc.tuple(entryOf(name, alias)), fc.tuple(entryOf(name), entryOf(name, alias))];
  return fc.oneof(
    fc.constant([]),
    { weight: 4, arbitrary: fc.tuple(entryOf(name)) },
    ...(mayHaveAlias ? aliased : []),
  );
}

function treeOf(name: string, depth: number, isNew: boolean): fc.Arbitrary<Tree> {
  const names = depth === 0 ? [] : NAMES.filter((one) => one !== name);
  const child = (one: string) =>
    fc.record({
      tree: treeOf(one, depth - 1, isNew),
      entries: entriesOf(one, isNew),
      isPacked: fc.boolean(),
    });
  return fc.record({
    name: fc.constant(name),
    values: valuesOf([...NAMES, ...ALIASES], isNew),
    children: fc
      .subarray(names)
      .chain((chosen) => (chosen.length === 0 ? fc.constant<Child[]>([]) : fc.tuple(...chosen.map(child)))),
  });
}

function filesOf(tree: Tree, base = ''): ChartFiles {
  const dependencies = tree.children.flatMap(({ entries }) => entries);
  const files: Record<string, string | Uint8Array> = {
    [`${base}Chart.yaml`]: JSON.stringify({
      apiVersion: 'v2',
      name: tree.name,
      version: '1.2.3',
      ...(dependencies.length > 0 && { dependencies }),
    }),
    [`${base}values.yaml`]: JSON.stringify(tree.values),
    [`${base}templates/values.yaml`]: VALUES_TEMPLATE,
  };
  for (const { tree: child, isPacked } of tree.children) {
    if (isPacked) files[`${base}charts/${child.name}-1.2.3.tgz`] = pack(child);
    else Object.assign(files, filesOf(child, `${base}charts/${child.name}/`));
  }
  return files;
}

function pack(tree: Tree): Uint8Array {
  const entries = Object.entries(filesOf(tree, `${tree.name}/`));
  return gzipSync(writeTar(entries.map(([name, content]) => ({ name, data: Buffer.from(content) }))));
}

/** Returns what Helm shows: the values of each chart by the path of its templates. */
async function ourValues(files: ChartFiles, given: object): Promise<Record<string, string>> {
  const directory = await mkdtemp(join(tmpdir(), 'logtool-dependencies-'));
  try {
    await writeFiles(join(directory, 'chart'), files);
    const values = readUserValues({ files: ['given'] }, () => JSON.stringify(given));
    const chart = processDependencies(await loadChart(join(directory, 'chart')), values);
    return show(chart, coalesceValues(chart, values), '');
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function show(chart: Chart, values: ValueMap, above: string): Record<string, string> {
  const { name } = chart.metadata;
  const below = chart.dependencies.map((one) =>
    show(one, values.get(one.metadata.name) as ValueMap, `${above}${name}/charts/`),
  );
  return Object.assign({ [`${above}${name}/templates`]: writeJson(values) }, ...below);
}

describe.each(HELM_VERSIONS)('helm %s', (version) => {
  // Inside tables, Helm 3.17.2 also removes nulls that the chart has too, and uses a chart's own name instead of its
  // alias in the path of its sub-charts. logtool follows Helm 4.
  const isNew = version === '4.1.4';
  const cases = fc.sample(fc.tuple(treeOf('top', 2, isNew), valuesOf([...NAMES, ...ALIASES], true)), {
    seed: 5,
    numRuns: 30,
  });

  it.each(cases.map(([tree, given], index) => [index, tree, given] as const))(
    'gives each chart of tree %i the values that helm gives it',
    async (_index, tree, given) => {
      const files = filesOf(tree);
      const result = await templateInHelm(version, files, ['-f', 'given.json'], {
        'given.json': JSON.stringify(given),
      });
      if (result.exitCode !== 0) {
        const refused: unknown = await ourValues(files, given).catch((error: unknown) => error);
        if (!(refused instanceof CodedError)) throw refused;
        return expect(result.stderr).toContain(refused.data.why);
      }
      expect(await ourValues(files, given)).toEqual(shownValues(result.stdout));
    },
  );
});

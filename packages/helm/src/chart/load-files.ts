import { extname } from 'node:path';
import type { ValueMap } from '../value/value.ts';
import { readValues } from '../values/user-values.ts';
import { decodeYamlText } from '../yaml/decode-text.ts';
import { YamlError } from '../yaml/yaml-error.ts';
import type { Chart, ChartFile, ChartLock, ChartMetadata } from './chart.ts';
import { chartError, inChart } from './chart-error.ts';
import type { ChartBudget } from './limits.ts';
import { readLock, readMetadata } from './read-metadata.ts';
import { validateMetadata } from './validate-metadata.ts';

/** Reads a packed sub-chart. */
type ReadPacked = (data: Uint8Array) => Promise<Chart>;

const CHARTS = 'charts/';

/**
 * Builds a chart from its files, each named by its path inside the chart.
 * https://helm.sh/docs/topics/charts/#the-chart-file-structure
 * @throws CodedError worded as Helm's loader
 */
export async function loadFiles(
  files: readonly ChartFile[],
  budget: ChartBudget,
  readPacked: ReadPacked,
): Promise<Chart> {
  const byName = new Map(files.map((file) => [file.name, file]));
  const metadata = validateMetadata(metadataOf(byName));
  const isOld = metadata.apiVersion === 'v1';
  const others = files.filter(({ name }) => !isSpecial(name, isOld));
  const schema = byName.get('values.schema.json');
  const lock = lockOf(byName);
  const values = valuesOf(byName.get('values.yaml'));
  budget.addValues(values);
  return {
    metadata,
    lock,
    templates: others.filter(({ name }) => name.startsWith('templates/')),
    values,
    schema: schema?.data,
    files: others.filter(({ name }) => !name.startsWith('templates/') && !isInChart(name)),
    dependencies: await loadDependencies(metadata.name, others, budget, readPacked),
    modTime: byName.get('Chart.yaml')?.modTime,
    schemaModTime: schema?.modTime,
  };
}

/** Removes the byte order mark that some editors put at the start of UTF-8. */
export function withoutByteOrderMark(data: Uint8Array): Uint8Array {
  return data[0] === 0xef && data[1] === 0xbb && data[2] === 0xbf ? data.subarray(3) : data;
}

/**
 * Whether the chart absorbs a file instead of keeping it. Charts of apiVersion v1 also keep their requirements as
 * files.
 */
function isSpecial(name: string, isOld: boolean): boolean {
  if (['Chart.yaml', 'Chart.lock', 'values.yaml', 'values.schema.json'].includes(name)) return true;
  return !isOld && (name === 'requirements.yaml' || name === 'requirements.lock');
}

/** Whether a file is part of a sub-chart; signatures beside one are files of this chart. */
function isInChart(name: string): boolean {
  return name.startsWith(CHARTS) && extname(name) !== '.prov';
}

function metadataOf(files: ReadonlyMap<string, ChartFile>): ChartMetadata {
  const chart = files.get('Chart.yaml');
  const requirements = files.get('requirements.yaml');
  if (chart === undefined && requirements === undefined) throw chartError('Chart.yaml file is missing');
  const named =
    chart === undefined ? {} : reading('Chart.yaml', () => readMetadata(decodeYamlText(chart.data)));
  const withVersion = chart === undefined ? named : { ...named, apiVersion: named.apiVersion || 'v1' };
  if (requirements === undefined) return withVersion as ChartMetadata;
  const more = reading('requirements.yaml', () => readMetadata(decodeYamlText(requirements.data)));
  return { ...withVersion, ...more, ...bothDependencies(named, more) } as ChartMetadata;
}

/**
 * Merges like Go, which decodes a list over an existing one: an item keeps the fields that the new item at its index
 * omits.
 */
function bothDependencies(
  { dependencies: named = [] }: Partial<ChartMetadata>,
  { dependencies: more }: Partial<ChartMetadata>,
): Partial<ChartMetadata> {
  if (!more) return {};
  return { dependencies: more.map((one, at) => (one === null ? one : { ...named[at], ...one })) };
}

function lockOf(files: ReadonlyMap<string, ChartFile>): ChartLock | undefined {
  for (const name of ['requirements.lock', 'Chart.lock']) {
    const file = files.get(name);
    if (file !== undefined) return reading(name, () => readLock(decodeYamlText(file.data)));
  }
  return undefined;
}

function valuesOf(file: ChartFile | undefined): ValueMap {
  return file === undefined ? new Map() : reading('values.yaml', () => readValues(decodeYamlText(file.data)));
}

function reading<Result>(name: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw chartError(`cannot load ${name}: ${error.message}`, error);
  }
}

async function loadDependencies(
  name: string,
  files: readonly ChartFile[],
  budget: ChartBudget,
  readPacked: ReadPacked,
): Promise<Chart[]> {
  const groups = new Map<string, ChartFile[]>();
  for (const file of files.filter((one) => isInChart(one.name))) {
    const path = file.name.slice(CHARTS.length);
    const [first = ''] = path.split('/', 1);
    const group = groups.get(first) ?? [];
    group.push({ ...file, name: path });
    groups.set(first, group);
  }
  const dependencies: Chart[] = [];
  for (const [first, group] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (first.startsWith('_') || first.startsWith('.')) continue;
    budget.enterChart();
    try {
      dependencies.push(await loadDependency(name, first, group, budget, readPacked));
    } finally {
      budget.leaveChart();
    }
  }
  return dependencies;
}

async function loadDependency(
  parent: string,
  first: string,
  files: readonly ChartFile[],
  budget: ChartBudget,
  readPacked: ReadPacked,
): Promise<Chart> {
  const [packed] = files;
  if (packed !== undefined && extname(first) === '.tgz' && packed.name !== first) {
    throw chartError(`error unpacking subchart tar in ${parent}: expected ${first}, got ${packed.name}`);
  }
  try {
    if (packed !== undefined && extname(first) === '.tgz') return await readPacked(packed.data);
    const inside = files
      .filter(({ name }) => name.includes('/'))
      .map((file) => ({ ...file, name: file.name.slice(first.length + 1) }));
    return await loadFiles(inside, budget, readPacked);
  } catch (error) {
    throw inChart(`error unpacking subchart ${first} in ${parent}`, error);
  }
}

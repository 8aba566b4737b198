import { posix } from 'node:path';
import type { Chart, ChartDependency, ChartMetadata } from '../chart/chart.ts';
import { bytesToText } from '../value/bytes.ts';
import { typed } from '../value/type.ts';
import { GoInt, type Value, type ValueMap } from '../value/value.ts';
import { goCapabilities, type RenderCapabilities } from './capabilities.ts';
import { GoFiles, type WriteYaml } from './files.ts';
import { GoValues } from './go-values.ts';

export interface ReleaseFacts {
  readonly name: string;
  readonly namespace: string;
  readonly revision: number;
  readonly isInstall: boolean;
  readonly isUpgrade: boolean;
}

/** A template with its dot. */
export interface ScopedTemplate {
  /** E.g. `CHART/charts/SUB/templates/x.yaml`. */
  readonly name: string;
  readonly text: string;
  readonly basePath: string;
  /** The content of the dot: the same map for all templates of a chart. */
  readonly scope: ValueMap;
  readonly dot: Value;
}

export interface ScopeInput {
  readonly chart: Chart;
  readonly values: ValueMap;
  readonly release: ReleaseFacts;
  readonly capabilities: RenderCapabilities;
  readonly writeYaml: WriteYaml;
}

/** Returns all templates of a chart and its sub-charts by name, each with the values of its own chart. */
export function scopeTemplates(input: ScopeInput): Map<string, ScopedTemplate> {
  const { release, values } = input;
  const shared: Shared = {
    release: new Map<string, Value>([
      ['Name', release.name],
      ['Namespace', release.namespace],
      ['Revision', new GoInt(release.revision)],
      ['IsInstall', release.isInstall],
      ['IsUpgrade', release.isUpgrade],
      ['Service', 'Helm'],
    ]),
    capabilities: goCapabilities(input.capabilities),
    writeYaml: input.writeYaml,
    templates: new Map(),
  };
  scopeChart(shared, input.chart, input.chart.metadata.name, values, true);
  return shared.templates;
}

interface Shared {
  readonly release: ValueMap;
  readonly capabilities: Value;
  readonly writeYaml: WriteYaml;
  readonly templates: Map<string, ScopedTemplate>;
}

function scopeChart(shared: Shared, chart: Chart, path: string, values: ValueMap, isRoot: boolean): ValueMap {
  const subcharts: ValueMap = new Map();
  const scope: ValueMap = new Map<string, Value>([
    ['Chart', metadataMap(chart.metadata).set('IsRoot', isRoot)],
    ['Files', GoFiles.of(chart.files, shared.writeYaml)],
    ['Release', shared.release],
    ['Capabilities', shared.capabilities],
    ['Values', new GoValues(values)],
    ['Subcharts', subcharts],
  ]);
  for (const child of chart.dependencies) {
    const { name } = child.metadata;
    const childValues = table(values, name) ?? new Map();
    subcharts.set(name, scopeChart(shared, child, `${path}/charts/${name}`, childValues, false));
  }
  const dot = new GoValues(scope);
  const basePath = posix.join(path, 'templates');
  const isLibrary = chart.metadata.type?.toLowerCase() === 'library';
  for (const file of chart.templates) {
    if (isLibrary && !posix.basename(file.name).startsWith('_')) continue;
    const name = posix.join(path, file.name);
    shared.templates.set(name, { name, text: bytesToText(file.data), basePath, scope, dot });
  }
  return scope;
}

/** Returns the map under a name; a dot in the name descends a level, as in Helm. */
function table(values: ValueMap, name: string): ValueMap | undefined {
  let found: Value | undefined = values;
  for (const label of name.split('.')) {
    found = found instanceof Map ? found.get(label) : undefined;
  }
  return found instanceof Map ? found : undefined;
}

/** Builds `.Chart`: every field of the metadata by its Go name. */
function metadataMap(metadata: ChartMetadata): ValueMap {
  const text = (value: string | undefined): Value => value ?? '';
  const list = (values: readonly string[] | undefined): Value => [...(values ?? [])];
  return new Map<string, Value>([
    ['Name', metadata.name],
    ['Home', text(metadata.home)],
    ['Sources', list(metadata.sources)],
    ['Version', metadata.version],
    ['Description', text(metadata.description)],
    ['Keywords', list(metadata.keywords)],
    [
      'Maintainers',
      (metadata.maintainers ?? []).map(
        ({ name, email, url }) =>
          new Map<string, Value>([
            ['Name', text(name)],
            ['Email', text(email)],
            ['URL', text(url)],
          ]),
      ),
    ],
    ['Icon', text(metadata.icon)],
    ['APIVersion', metadata.apiVersion],
    ['Condition', text(metadata.condition)],
    ['Tags', text(metadata.tags)],
    ['AppVersion', text(metadata.appVersion)],
    ['Deprecated', metadata.deprecated ?? false],
    [
      'Annotations',
      typed(new Map<string, Value>(Object.entries(metadata.annotations ?? {})), 'map[string]string'),
    ],
    ['KubeVersion', text(metadata.kubeVersion)],
    ['Dependencies', (metadata.dependencies ?? []).map(dependencyMap)],
    ['Type', text(metadata.type)],
  ]);
}

function dependencyMap(dependency: ChartDependency): ValueMap {
  return new Map<string, Value>([
    ['Name', dependency.name],
    ['Version', dependency.version ?? ''],
    ['Repository', dependency.repository ?? ''],
    ['Condition', dependency.condition ?? ''],
    ['Tags', [...(dependency.tags ?? [])]],
    ['Enabled', dependency.enabled ?? false],
    ['ImportValues', (dependency['import-values'] ?? []).map(plainValue)],
    ['Alias', dependency.alias ?? ''],
  ]);
}

function plainValue(value: unknown): Value {
  if (
    value === null ||
    typeof value === 'string' ||
    typeof value === 'number' ||
    typeof value === 'boolean'
  ) {
    return value;
  }
  if (Array.isArray(value)) return value.map(plainValue);
  return new Map(Object.entries(value ?? {}).map(([key, item]) => [key, plainValue(item)]));
}

/**
 * Sorts the deepest folders first, then in reverse alphabetical order: a definition nearer to the root comes later and
 * wins.
 */
export function templateOrder(names: Iterable<string>): string[] {
  const depth = (name: string) => name.split('/').length;
  return [...names].sort((a, b) => depth(b) - depth(a) || (a < b ? 1 : a > b ? -1 : 0));
}

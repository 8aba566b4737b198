import { posix } from 'node:path';
import { isVersion } from '../version/version.ts';
import type { ChartDependency, ChartMetadata } from './chart.ts';
import { chartError } from './chart-error.ts';

/**
 * Returns the metadata with every text made printable, as Helm stores it.
 * @throws CodedError worded as Helm's validation: name and version are required, and certain fields must be valid
 */
export function validateMetadata(metadata: Partial<ChartMetadata>): ChartMetadata {
  const clean = cleanMetadata(metadata);
  if (!clean.apiVersion) throw invalid('chart.metadata.apiVersion is required');
  const { name } = clean;
  if (!name) throw invalid('chart.metadata.name is required');
  if (name === '.' || name === '..')
    throw invalid(`chart.metadata.name ${JSON.stringify(name)} is not allowed`);
  if (name !== posix.basename(name)) throw invalid(`chart.metadata.name ${JSON.stringify(name)} is invalid`);
  if (!clean.version) throw invalid('chart.metadata.version is required');
  if (!isVersion(clean.version))
    throw invalid(`chart.metadata.version ${JSON.stringify(clean.version)} is invalid`);
  if (!['', 'application', 'library'].includes(clean.type ?? '')) {
    throw invalid('chart.metadata.type must be application or library');
  }
  checkDependencies(clean.dependencies ?? []);
  return clean as ChartMetadata;
}

function cleanMetadata(metadata: Partial<ChartMetadata>): Partial<ChartMetadata> {
  const { sources, keywords, maintainers, dependencies } = metadata;
  return {
    ...cleaned(metadata, [
      'name',
      'description',
      'home',
      'icon',
      'condition',
      'tags',
      'appVersion',
      'kubeVersion',
    ]),
    ...(sources && { sources: sources.map(printable) }),
    ...(keywords && { keywords: keywords.map(printable) }),
    ...(maintainers && {
      maintainers: maintainers.map((one) =>
        cleaned(notNull(one, 'maintainers must not contain empty or null nodes'), ['name', 'email', 'url']),
      ),
    }),
    ...(dependencies && { dependencies: dependencies.map(cleanDependency) }),
  };
}

function cleanDependency(dependency: ChartDependency | null): ChartDependency {
  const present = notNull(dependency, 'dependencies must not contain empty or null nodes');
  const { tags } = present;
  return {
    ...cleaned({ ...present, name: present.name ?? '' }, ['name', 'version', 'repository', 'condition']),
    ...(tags && { tags: tags.map(printable) }),
  };
}

function checkDependencies(dependencies: readonly ChartDependency[]): void {
  const names = new Set<string>();
  for (const { name, alias } of dependencies) {
    if (alias && !/^[\w-]+$/.test(alias)) {
      throw invalid(`dependency ${JSON.stringify(name)} has disallowed characters in the alias`);
    }
    const key = alias || name;
    if (names.has(key)) throw invalid(`more than one dependency with name or alias ${JSON.stringify(key)}`);
    names.add(key);
  }
}

function cleaned<Fields extends object>(value: Fields, names: readonly (keyof Fields)[]): Fields {
  const clean = { ...value };
  for (const name of names) {
    const text = clean[name];
    if (typeof text === 'string') clean[name] = printable(text) as Fields[typeof name];
  }
  return clean;
}

/** Replaces each whitespace character with a space, and removes unprintable characters. */
function printable(text: string | null): string {
  return (text ?? '').replace(/[\s\u0085]/g, ' ').replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, '');
}

function notNull<Value>(value: Value | null, why: string): Value {
  if (value === null) throw invalid(why);
  return value;
}

function invalid(why: string): Error {
  return chartError(`validation: ${why}`);
}

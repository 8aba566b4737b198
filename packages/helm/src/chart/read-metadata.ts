import type { ChartLock, ChartMetadata } from './chart.ts';
import { BOOLEAN, type FieldKind, type Fields, readStruct, TEXT } from './read-struct.ts';

const TEXTS: FieldKind = { kind: 'list', of: TEXT };

const DEPENDENCY: FieldKind = {
  kind: 'struct',
  fields: {
    name: TEXT,
    version: TEXT,
    repository: TEXT,
    condition: TEXT,
    tags: TEXTS,
    enabled: BOOLEAN,
    'import-values': { kind: 'list', of: { kind: 'anything' } },
    alias: TEXT,
  },
};

/** The fields of Chart.yaml, which the entries of an index have too. */
export const METADATA_FIELDS: Fields = {
  name: TEXT,
  home: TEXT,
  sources: TEXTS,
  version: TEXT,
  description: TEXT,
  keywords: TEXTS,
  maintainers: { kind: 'list', of: { kind: 'struct', fields: { name: TEXT, email: TEXT, url: TEXT } } },
  icon: TEXT,
  apiVersion: TEXT,
  condition: TEXT,
  tags: TEXT,
  appVersion: TEXT,
  deprecated: BOOLEAN,
  annotations: { kind: 'map', of: TEXT },
  kubeVersion: TEXT,
  dependencies: { kind: 'list', of: DEPENDENCY },
  type: TEXT,
};

const LOCK: Fields = { generated: TEXT, digest: TEXT, dependencies: { kind: 'list', of: DEPENDENCY } };

/**
 * Reads Chart.yaml, or requirements.yaml of apiVersion v1, without checks: any field may be missing.
 * @throws YamlError
 */
export function readMetadata(text: string): Partial<ChartMetadata> {
  return readStruct(text, 'loader.chartBase', METADATA_FIELDS, 'Metadata') as Partial<ChartMetadata>;
}

/**
 * Reads Chart.lock or requirements.lock.
 * @throws YamlError
 */
export function readLock(text: string): ChartLock {
  const {
    generated = '',
    digest = '',
    dependencies = [],
  } = readStruct(text, 'v2.Lock', LOCK) as Partial<ChartLock>;
  return { generated, digest, dependencies };
}

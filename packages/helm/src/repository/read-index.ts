import type { ChartMetadata } from '../chart/chart.ts';
import { refusalOf } from '../chart/chart-error.ts';
import { METADATA_FIELDS } from '../chart/read-metadata.ts';
import { exactly, type Fields, readStructOfJson, readStructStrictly, TEXT } from '../chart/read-struct.ts';
import { validateMetadata } from '../chart/validate-metadata.ts';
import { compareVersions, parseVersion } from '../version/version.ts';
import { YamlError } from '../yaml/yaml-error.ts';
import { invalidIndex, webPage } from './errors.ts';

/** Maximum size of an index, downloaded or stored. */
export const INDEX_LIMIT_BYTES = 50 * 1024 * 1024;

/**
 * Maximum number of characters that start a value in YAML or JSON: an index of 50 MiB of only such characters would not
 * fit in memory when parsed. The largest public index has a tenth of this.
 */
const VALUE_LIMIT = 3_000_000;

/** A chart version in the index. */
export interface IndexEntry {
  readonly metadata: ChartMetadata;
  /** Relative to the repository, or absolute. */
  readonly urls: readonly string[];
  /** SHA-256 in hexadecimal; empty if the index has none. */
  readonly digest: string;
  /** RFC 3339, or empty. */
  readonly created: string;
}

/** A skipped version: `why` is Helm's message. */
export interface SkippedVersion {
  readonly chart: string;
  readonly version: string;
  readonly why: string;
}

export interface RepositoryIndex {
  /** By chart name, newest version first. */
  readonly charts: ReadonlyMap<string, readonly IndexEntry[]>;
  /** The omitted entries, with reasons. */
  readonly notices: readonly SkippedVersion[];
}

const VERSION_FIELDS: Fields = {
  ...exactly(METADATA_FIELDS),
  urls: { kind: 'list', of: TEXT },
  created: TEXT,
  removed: { kind: 'boolean' },
  digest: TEXT,
  checksum: TEXT,
  engine: TEXT,
  tillerVersion: TEXT,
  url: TEXT,
};

const INDEX_FIELDS: Fields = {
  serverInfo: { kind: 'map', of: { kind: 'anything' } },
  apiVersion: TEXT,
  generated: TEXT,
  entries: { kind: 'map', of: { kind: 'list', of: { kind: 'struct', fields: VERSION_FIELDS } } },
  publicKeys: { kind: 'list', of: TEXT },
  annotations: { kind: 'map', of: TEXT },
};

type RawVersion = Partial<ChartMetadata> & {
  readonly urls?: readonly (string | null)[];
  readonly created?: string;
  readonly digest?: string;
};

interface RawIndex {
  readonly apiVersion?: string;
  readonly generated?: string;
  readonly entries?: Readonly<Record<string, readonly (RawVersion | null)[] | ''>>;
}

/**
 * Reads index.yaml as Helm does: strict YAML (no unknown fields, no duplicate keys), or JSON. Omits an invalid chart
 * entry with a notice; refuses an index with wrong types or without apiVersion
 * (https://helm.sh/docs/topics/chart_repository/#the-index-file).
 * @throws CodedError `repository-index-invalid`, `repository-web-page`
 */
export function readIndex(text: string, source: string): RepositoryIndex {
  const raw = rawIndex(text, source);
  const charts = new Map<string, readonly IndexEntry[]>();
  const notices: SkippedVersion[] = [];
  for (const [name, versions] of Object.entries(raw.entries ?? {})) {
    const sound: Ranked[] = [];
    // Go treats null as an empty list; the map reader returns it as an empty text.
    for (const version of versions === '' ? [] : versions) {
      const read = readVersion(version);
      if (typeof read !== 'string') sound.push(read);
      else notices.push({ chart: name, version: version?.version ?? '', why: read });
    }
    sound.sort((one, other) => compareVersions(other.version, one.version));
    charts.set(
      name,
      sound.map(({ entry }) => entry),
    );
  }
  if (!raw.apiVersion) throw invalidIndex(source, { problem: 'content', why: 'no API version specified' });
  return { charts, notices };
}

function rawIndex(text: string, source: string): RawIndex {
  if (text === '') throw invalidIndex(source, { problem: 'content', why: 'empty index.yaml file' });
  if (/^\s*</.test(text)) throw webPage(source);
  if (countValues(text) > VALUE_LIMIT) throw invalidIndex(source, { problem: 'values', max: VALUE_LIMIT });
  try {
    const json = jsonOf(text);
    const raw = (
      json === undefined
        ? readStructStrictly(text, 'v1.IndexFile', INDEX_FIELDS)
        : readStructOfJson(json.value, 'v1.IndexFile', INDEX_FIELDS)
    ) as RawIndex;
    checkTime(raw.generated, source);
    for (const version of Object.values(raw.entries ?? {}).flatMap((each) => each || [])) {
      checkTime(version?.created, source);
    }
    return raw;
  } catch (error) {
    if (error instanceof YamlError) {
      throw invalidIndex(source, { problem: 'content', why: firstLines(error.message) }, error);
    }
    // The reader recurses into nested values.
    if (error instanceof RangeError) throw invalidIndex(source, { problem: 'nesting' }, error);
    throw error;
  }
}

function countValues(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    // Line feed, comma, hyphen-space, brackets.
    if (unit === 10 || unit === 44 || unit === 91 || unit === 123) count++;
    else if ((unit === 45 || unit === 63 || unit === 58) && text.charCodeAt(index + 1) === 32) count++;
  }
  return count;
}

function jsonOf(text: string): { readonly value: unknown } | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    return { value: JSON.parse(text) };
  } catch {
    // Not JSON: YAML that begins with a brace, or an error that the YAML reader reports.
    return undefined;
  }
}

interface Ranked {
  readonly entry: IndexEntry;
  readonly version: ReturnType<typeof parseVersion>;
}

/** Returns the version, or the reason for skipping it. */
function readVersion(raw: RawVersion | null): Ranked | string {
  if (raw === null) return 'empty entry';
  const { urls = [], created = '', digest = '', ...rest } = raw;
  try {
    const metadata = validated({ ...rest, apiVersion: rest.apiVersion || 'v1' });
    const entry = { metadata, urls: urls.map((url) => url ?? ''), digest, created };
    return { entry, version: parseVersion(metadata.version) };
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === undefined) throw error;
    return refusal;
  }
}

/** Accepts two dependencies with the same name: some repositories drop the aliases. */
function validated(metadata: Partial<ChartMetadata>): ChartMetadata {
  try {
    return validateMetadata(metadata);
  } catch (error) {
    const isSkippable = refusalOf(error)?.startsWith('validation: more than one dependency with name');
    if (!isSkippable) throw error;
    return { ...validateMetadata({ ...metadata, dependencies: [] }), dependencies: metadata.dependencies };
  }
}

/** Maximum length to show of an invalid time: it may be of any length. */
const MAX_SHOWN_TIME = 100;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:\d\d)$/;

function checkTime(text: string | undefined, source: string): void {
  if (text === undefined || (INSTANT.test(text) && !Number.isNaN(Date.parse(text.replace(',', '.'))))) return;
  throw invalidIndex(source, { problem: 'time', text: text.slice(0, MAX_SHOWN_TIME) });
}

function firstLines(text: string): string {
  return text.split('\n').slice(0, 5).join(' ').slice(0, 500);
}

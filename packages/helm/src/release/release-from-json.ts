import type { Chart, ChartFile, ChartLock, ChartMetadata } from '../chart/chart.ts';
import { fromPlain } from '../value/plain.ts';
import type { Value, ValueMap } from '../value/value.ts';
import { type FieldType, MalformedRelease, type RecordPath } from './record-problem.ts';
import type { Hook, HookDeletePolicy, HookEvent, HookPhase, Release, ReleaseStatus } from './release.ts';

type Plain = Readonly<Record<string, unknown>>;
type ToValue = (plain: unknown) => Value;

const STATUSES: ReadonlySet<string> = new Set<ReleaseStatus>([
  'unknown',
  'deployed',
  'uninstalled',
  'superseded',
  'failed',
  'uninstalling',
  'pending-install',
  'pending-upgrade',
  'pending-rollback',
]);

/** Maximum number of templates, files or hooks: that of a chart's files. Each takes far more memory than its JSON. */
const MAX_ITEMS = 20_000;

/**
 * Builds a release from the JSON of Helm 3 or 4. Keeps unknown fields, to write them again. `toValue` converts the
 * values of the chart and of the user.
 * @throws MalformedRelease if a field has another type than Helm's.
 */
export function releaseFromJson(
  text: string,
  labels: Readonly<Record<string, string>>,
  toValue: ToValue = fromPlain,
): Release {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new MalformedRelease({ problem: 'no-json', why: (error as Error).message });
  }
  const fields = new Fields(parsed, { of: 'release', fields: [] });
  const info = fields.child('info');
  const status = info.text('status');
  const applyMethod = fields.text('apply_method');
  const release: Release = {
    name: fields.text('name'),
    namespace: fields.text('namespace'),
    version: fields.integer('version'),
    chart: chartFrom(fields.child('chart'), toValue),
    config: fields.map('config', toValue),
    manifest: fields.text('manifest'),
    hooks: fields.each('hooks', hookFrom),
    applyMethod: applyMethod === 'ssa' || applyMethod === 'csa' ? applyMethod : undefined,
    info: {
      firstDeployed: info.optional('first_deployed'),
      lastDeployed: info.optional('last_deployed'),
      deleted: info.optional('deleted'),
      description: info.text('description'),
      status: STATUSES.has(status) ? (status as ReleaseStatus) : 'unknown',
      notes: info.text('notes'),
      unknown: info.rest(),
    },
    labels,
    unknown: fields.rest(),
  };
  if (release.name === '' || release.version < 1) throw new MalformedRelease({ problem: 'unnamed' });
  return release;
}

function chartFrom(fields: Fields, toValue: ToValue): Chart {
  const schema = fields.optional('schema');
  const schemaModTime = fields.optional('schemamodtime');
  return {
    metadata: fields.plain('metadata') as unknown as ChartMetadata,
    lock: fields.nullable('lock') as ChartLock | undefined,
    templates: fields.each('templates', fileFrom),
    values: fields.map('values', toValue),
    schema: schema === undefined ? undefined : Buffer.from(schema, 'base64'),
    files: fields.each('files', fileFrom),
    dependencies: [],
    modTime: fields.optional('modtime'),
    schemaModTime: schemaModTime?.startsWith('0001-') ? undefined : schemaModTime,
    unknown: fields.rest(),
  };
}

function fileFrom(value: unknown): ChartFile {
  const fields = new Fields(value, { of: 'file', fields: [] });
  return {
    name: fields.text('name'),
    data: Buffer.from(fields.text('data'), 'base64'),
    modTime: fields.optional('modtime'),
  };
}

function hookFrom(value: unknown): Hook {
  const fields = new Fields(value, { of: 'hook', fields: [] });
  const lastRun = fields.child('last_run');
  return {
    name: fields.text('name'),
    kind: fields.text('kind'),
    path: fields.text('path'),
    manifest: fields.text('manifest'),
    events: fields.texts('events') as HookEvent[],
    weight: fields.integer('weight'),
    deletePolicies: fields.texts('delete_policies') as HookDeletePolicy[],
    outputLogPolicies: fields.texts('output_log_policies') as Hook['outputLogPolicies'],
    lastRun: {
      startedAt: lastRun.optional('started_at'),
      completedAt: lastRun.optional('completed_at'),
      phase: lastRun.text('phase') as HookPhase,
    },
    unknown: fields.rest(),
  };
}

/** The fields of one JSON object, each read like its Go type: null and absent give the zero value. */
class Fields {
  readonly #fields: Plain;
  readonly #path: RecordPath;
  readonly #taken = new Set<string>();

  constructor(value: unknown, path: RecordPath) {
    if (typeof value !== 'object' || Array.isArray(value))
      throw new MalformedRelease({ problem: 'no-object', at: path });
    this.#fields = (value ?? {}) as Plain;
    this.#path = path;
  }

  #take<T>(key: string, zero: T, isRight: (value: unknown) => boolean, type: FieldType): T {
    this.#taken.add(key);
    const value = Object.hasOwn(this.#fields, key) ? (this.#fields[key] ?? zero) : zero;
    if (value !== zero && !isRight(value)) throw this.#wrongType(key, type);
    return value as T;
  }

  #wrongType(field: string, type: FieldType): MalformedRelease {
    return new MalformedRelease({ problem: 'field-type', at: this.#path, field, type });
  }

  text(key: string): string {
    return this.#take(key, '', (value) => typeof value === 'string', 'text');
  }

  /** Returns a text, or undefined if it is absent or empty (Helm 3 writes an unset time as ""). */
  optional(key: string): string | undefined {
    return this.text(key) || undefined;
  }

  integer(key: string): number {
    return this.#take(key, 0, Number.isSafeInteger, 'integer');
  }

  list(key: string): readonly unknown[] {
    return this.#take<readonly unknown[]>(key, [], Array.isArray, 'list');
  }

  each<T>(key: string, make: (item: unknown) => T): readonly T[] {
    const items = this.list(key);
    if (items.length > MAX_ITEMS)
      throw new MalformedRelease({ problem: 'too-many-items', at: this.#path, field: key, max: MAX_ITEMS });
    return items.map(make);
  }

  texts(key: string): readonly string[] {
    const items = this.list(key);
    if (!items.every((item) => typeof item === 'string')) throw this.#wrongType(key, 'texts');
    return items as readonly string[];
  }

  plain(key: string): Plain {
    const isObject = (value: unknown) => typeof value === 'object' && !Array.isArray(value);
    return this.#take<Plain>(key, {}, isObject, 'object');
  }

  nullable(key: string): unknown {
    const value = this.plain(key);
    return Object.keys(value).length === 0 ? undefined : value;
  }

  map(key: string, toValue: ToValue): ValueMap {
    return toValue(this.plain(key)) as ValueMap;
  }

  child(key: string): Fields {
    const { of, fields } = this.#path;
    return new Fields(this.plain(key), { of, fields: [...fields, key] });
  }

  /** Returns the fields that no other method has read. */
  rest(): Plain | undefined {
    const rest = Object.entries(this.#fields).filter(([key]) => !this.#taken.has(key));
    return rest.length === 0 ? undefined : Object.fromEntries(rest);
  }
}

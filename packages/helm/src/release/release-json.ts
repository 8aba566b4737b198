import type { Chart, ChartFile } from '../chart/chart.ts';
import { writeJson } from '../json/write-json.ts';
import { fromPlain } from '../value/plain.ts';
import type { Value } from '../value/value.ts';
import type { Hook, Release } from './release.ts';

/** Go's zero time, which Helm 4 writes for a missing schema. */
const ZERO_TIME = '0001-01-01T00:00:00Z';

/**
 * Writes a release in the JSON of Helm 4's storage object. Helm 3 reads it too: it ignores unknown fields. Omits absent
 * fields where Helm omits them, and writes null where Helm does.
 */
export function releaseToJson(release: Release): string {
  const { info, chart } = release;
  return writeJson(
    record(release.unknown, {
      name: release.name,
      info: record(info.unknown, {
        first_deployed: info.firstDeployed,
        last_deployed: info.lastDeployed,
        deleted: info.deleted,
        description: info.description || undefined,
        status: info.status,
        notes: info.notes || undefined,
      }),
      chart: chartToValue(chart),
      config: release.config.size === 0 ? undefined : release.config,
      manifest: release.manifest || undefined,
      hooks: release.hooks.length === 0 ? undefined : release.hooks.map(hookToValue),
      version: release.version,
      namespace: release.namespace || undefined,
      apply_method: release.applyMethod,
    }),
  );
}

function chartToValue(chart: Chart): Value {
  return record(chart.unknown, {
    metadata: fromPlain(chart.metadata),
    lock: fromPlain(chart.lock),
    templates: filesToValue(chart.templates),
    values: chart.values,
    schema: chart.schema === undefined ? null : base64(chart.schema),
    schemamodtime: chart.schemaModTime ?? ZERO_TIME,
    files: filesToValue(chart.files),
    modtime: chart.modTime,
  });
}

function filesToValue(files: readonly ChartFile[]): Value {
  if (files.length === 0) return null;
  return files.map(({ name, data, modTime }) => record({}, { name, data: base64(data), modtime: modTime }));
}

function hookToValue(hook: Hook): Value {
  return record(hook.unknown, {
    name: hook.name || undefined,
    kind: hook.kind || undefined,
    path: hook.path || undefined,
    manifest: hook.manifest || undefined,
    events: hook.events.length === 0 ? undefined : [...hook.events],
    last_run: record(undefined, {
      started_at: hook.lastRun.startedAt,
      completed_at: hook.lastRun.completedAt,
      phase: hook.lastRun.phase,
    }),
    weight: hook.weight === 0 ? undefined : hook.weight,
    delete_policies: hook.deletePolicies.length === 0 ? undefined : [...hook.deletePolicies],
    output_log_policies: hook.outputLogPolicies.length === 0 ? undefined : [...hook.outputLogPolicies],
  });
}

/** Merges the present fields over the unknown ones. */
function record(
  unknown: Readonly<Record<string, unknown>> | undefined,
  fields: Readonly<Record<string, Value | undefined>>,
): Value {
  const map = new Map<string, Value>();
  for (const [key, value] of Object.entries(unknown ?? {})) map.set(key, fromPlain(value));
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) map.set(key, value);
  return map;
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

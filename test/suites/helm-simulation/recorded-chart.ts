import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const HOME = join(import.meta.dirname, '../../recorded/helm');

/** A recorded helm command, with its requests to a real API server. */
export interface RecordedCommand {
  readonly command: string;
  readonly exitCode: number;
  readonly stdout: string;
  readonly calls: readonly {
    readonly verb: string;
    readonly uri: string;
    readonly status: number;
    readonly requestObject?: unknown;
  }[];
}

interface Decoded {
  readonly release: {
    readonly chart: {
      readonly metadata: Readonly<Record<string, unknown>>;
      readonly templates: readonly { readonly name: string; readonly data: string }[];
      readonly values: Readonly<Record<string, unknown>>;
    };
  };
}

export function readRecorded<T>(name: string): T {
  return JSON.parse(readFileSync(join(HOME, `${name}.json`), 'utf8')) as T;
}

/** Returns the files of the recorded chart, from the release that contains it. */
export function recordedChart(): Record<string, string> {
  const { chart } = readRecorded<Decoded>('v4-install-release-decoded').release;
  return {
    // JSON is YAML.
    'Chart.yaml': JSON.stringify(chart.metadata),
    'values.yaml': JSON.stringify(chart.values),
    ...Object.fromEntries(
      chart.templates.map(({ name, data }) => [name, Buffer.from(data, 'base64').toString()]),
    ),
  };
}

const METHODS: Readonly<Record<string, string>> = {
  get: 'GET',
  list: 'GET',
  watch: 'GET',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
};

/** Returns the calls in a lab's format. */
export function recordedCalls({ calls }: RecordedCommand): readonly string[] {
  return calls.map(({ verb, uri, status }) => comparable(`${METHODS[verb]} ${uri} ${status}`));
}

/**
 * Masks what varies by chance: how long a watch lasts, whether it had ended when helm did, a hash, and
 * whether two requests for the list of schemas fell into the same second, within which the list stays the
 * same.
 */
export function comparable(call: string): string {
  return call
    .replace(/timeoutSeconds=\d+(&watch=true) (200|-)$/, 'timeoutSeconds=N$1 200')
    .replace(/pod-template-hash%3D\w+/, 'pod-template-hash%3DHASH')
    .replace(/^(GET \/openapi\/v3\?timeout=32s) (200|304)$/, '$1 200 or 304');
}

/** Returns an object as the recorder fetched it. */
export function recordedObject(name: string): Record<string, unknown> {
  const { response } = readRecorded<{ readonly response: { readonly body: string } }>(name);
  return JSON.parse(response.body) as Record<string, unknown>;
}

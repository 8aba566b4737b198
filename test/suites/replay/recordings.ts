import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One exchange with a real API server: see test/recorded. */
export interface Recording {
  /** `folder/name` without the extension. */
  readonly name: string;
  readonly about: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly bodyBase64?: string;
  };
  readonly notes: { readonly user?: string; readonly trimmed?: string };
}

const HOME = join(import.meta.dirname, '../../recorded');

export function readRecording(name: string): Recording {
  return { name, ...JSON.parse(readFileSync(join(HOME, `${name}.json`), 'utf8')) };
}

export function recordingsIn(folder: string): readonly Recording[] {
  return readdirSync(join(HOME, folder))
    .filter((file) => file.endsWith('.json'))
    .map((file) => readRecording(`${folder}/${file.slice(0, -'.json'.length)}`));
}

/** Returns the body, parsed as JSON. */
export function jsonBody(recording: Recording): unknown {
  return JSON.parse(recording.response.body ?? '');
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExtensionHandler } from './extension-server.ts';

const FOLDER = join(import.meta.dirname, '../../../../test/recorded/aggregation');

/** One file of test/recorded/aggregation. For tests only. */
export interface AggregationRecording {
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
    readonly trailers?: Readonly<Record<string, string>>;
  };
  readonly notes: { readonly httpVersion: string; readonly user: string; readonly closedBy: string };
  readonly asSeenByTheExtension?: {
    readonly cert: { readonly cn: string; readonly issuer: string };
    readonly headers: Readonly<Record<string, string | readonly string[]>>;
    readonly host: string;
    readonly method: string;
    readonly proto: string;
    readonly uri: string;
  };
}

export interface RecordedCommand {
  readonly command: string;
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export function aggregationRecording(name: string): AggregationRecording {
  return JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8'));
}

export function recordedCommand(name: string): RecordedCommand {
  return JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8'));
}

export function bodyOf({ response }: AggregationRecording): Buffer {
  const { body = '', bodyBase64 } = response;
  return bodyBase64 === undefined ? Buffer.from(body) : Buffer.from(bodyBase64, 'base64');
}

/** These are of the recorded API server, the connection, or the moment. */
const VOLATILE =
  /^(?:audit-id|x-kubernetes-pf-\w+-uid|connection|transfer-encoding|keep-alive|date|etag|:status)$/;

/** Returns the headers that do not depend on the moment, by their names in lower case. */
export function steadyHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => !VOLATILE.test(name)),
  );
}

/** Returns a handler that answers as the recorded extension has: the API server adds only `Cache-Control`. */
export function answering(recorded: AggregationRecording): ExtensionHandler {
  const { status, headers } = recorded.response;
  return (request, response) => {
    response.statusCode = status;
    for (const [name, value] of Object.entries(steadyHeaders(headers)))
      if (name !== 'cache-control') response.setHeader(name, String(value));
    request.resume().once('end', () => response.end(bodyOf(recorded)));
  };
}

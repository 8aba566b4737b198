import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Handler } from './scripted-server.ts';

const FOLDER = join(import.meta.dirname, '../../recorded');

/** One exchange with a real cluster; test/recorded/README.md describes how it was recorded. */
export interface Recording {
  readonly about: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly bodyBase64?: string;
  };
  readonly notes?: {
    readonly trimmed?: string;
    readonly closedBy?: string;
    readonly timeline?: { readonly reads?: readonly { readonly bytes: number }[] };
  };
}

export function loadRecording(name: string): Recording {
  return JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8'));
}

/** Lists `folder/name` of each HTTP answer of a completely recorded folder. */
export function wholeRecordings(folder: string): readonly string[] {
  return readdirSync(join(FOLDER, folder))
    .filter((file) => file.endsWith('.json'))
    .map((file) => `${folder}/${file.slice(0, -'.json'.length)}`)
    .filter((name) => {
      const { response, notes } = loadRecording(name);
      return (response?.status ?? 0) >= 200 && notes?.trimmed === undefined;
    });
}

/** Answers every request like the real server, in the same pieces. */
export function replay(recording: Recording): Handler {
  const { status, headers, body = '', bodyBase64 } = recording.response;
  const bytes = bodyBase64 === undefined ? Buffer.from(body) : Buffer.from(bodyBase64, 'base64');
  const sizes = recording.notes?.timeline?.reads?.map((read) => read.bytes) ?? [];
  return (_, response) => {
    for (const [name, value] of Object.entries(headers)) {
      // This server sets the headers that describe the transfer.
      if (!/^(:.*|connection|content-length|transfer-encoding|date)$/i.test(name))
        response.setHeader(name, value);
    }
    response.writeHead(status);
    let offset = 0;
    const send = () => {
      const end = offset + (sizes.shift() ?? bytes.length);
      const piece = bytes.subarray(offset, end);
      offset = end;
      if (offset >= bytes.length) response.end(piece);
      else response.write(piece, () => setImmediate(send));
    };
    send();
  };
}

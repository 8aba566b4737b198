import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import type { Recording } from './recordings.ts';
import type { World } from './world.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Sends a recorded request to the world's server; `onHeaders` runs when the answer starts. */
export function ask(
  world: World,
  recording: Recording,
  onHeaders?: () => void | Promise<void>,
): Promise<Answer> {
  const { method, path, headers, body } = recording.request;
  const user = world.credentials.get(recording.notes.user ?? 'admin') ?? {};
  const { authorization: _redacted, ...sent } = headers;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${world.server.url}${path}`,
      {
        method,
        agent: false,
        ca: world.server.caCertificate,
        ...(user.cert === undefined ? {} : { cert: user.cert, key: user.key }),
        headers: {
          ...sent,
          ...(user.token === undefined ? {} : { authorization: `Bearer ${user.token}` }),
          ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString('utf8'),
          }),
        );
        Promise.resolve(onHeaders?.()).catch(reject);
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

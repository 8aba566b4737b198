import { readFileSync } from 'node:fs';
import { connect, constants } from 'node:http2';
import { request as requestHttp1 } from 'node:https';
import type { Readable } from 'node:stream';
import { load } from 'js-yaml';
import type { SimCluster } from '../../src/start.ts';

export interface SentRequest {
  readonly path: string;
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string | readonly string[]>> | undefined;
  readonly body?: string | undefined;
  readonly http2?: boolean | undefined;
}

/** A response whose body may still be arriving. */
export interface ReceivedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The reads so far. */
  readonly reads: readonly Buffer[];
  /** Resolves when the body has ended, in order or not. */
  readonly ended: Promise<{
    readonly body: Buffer;
    readonly cut: boolean;
    readonly trailers: Readonly<Record<string, unknown>>;
    /** The error code of a reset HTTP/2 stream. */
    readonly code: number | undefined;
  }>;
  /** Resolves when the body so far has that many bytes. */
  holds(bytes: number): Promise<void>;
  pause(): void;
  leave(): void;
}

interface Kubeconfig {
  readonly users: readonly {
    name: string;
    user: { token?: string; 'client-certificate-data'?: string; 'client-key-data'?: string };
  }[];
}

/**
 * Sends a request as a user of the kubeconfig (undefined: as nobody) over either HTTP version, on a connection of its
 * own. For tests only.
 */
export async function sendRequest(
  cluster: SimCluster,
  user: string | undefined,
  sent: SentRequest,
): Promise<ReceivedResponse> {
  const config = load(readFileSync(cluster.kubeconfig, 'utf8')) as Kubeconfig;
  const own = config.users.find(({ name }) => name === user)?.user ?? {};
  const pem = (text: string | undefined) => (text === undefined ? undefined : Buffer.from(text, 'base64'));
  const tls = {
    ca: cluster.caCertificate,
    cert: pem(own['client-certificate-data']),
    key: pem(own['client-key-data']),
  };
  const headers: Record<string, string | readonly string[]> = { ...sent.headers };
  if (own.token !== undefined) headers.authorization = `Bearer ${own.token}`;
  return sent.http2 === true
    ? sendHttp2(cluster.server, tls, { ...sent, headers })
    : sendHttp1(cluster.server, tls, { ...sent, headers });
}

type Tls = Readonly<Record<'ca' | 'cert' | 'key', string | Buffer | undefined>>;

function sendHttp1(server: string, tls: Tls, sent: SentRequest): Promise<ReceivedResponse> {
  const { path, method = 'GET', headers = {}, body } = sent;
  return new Promise((resolve, reject) => {
    const asked = requestHttp1(`${server}${path}`, {
      ...tls,
      agent: false,
      method,
      headers: headers as Record<string, string | string[]>,
    });
    asked.once('error', reject).once('response', (response) =>
      resolve(
        received(response, {
          status: response.statusCode ?? 0,
          headers: response.headers,
          trailers: () => response.trailers,
          isWhole: () => response.complete,
          code: () => undefined,
          leave: () => asked.destroy(),
        }),
      ),
    );
    asked.end(body);
  });
}

function sendHttp2(server: string, tls: Tls, sent: SentRequest): Promise<ReceivedResponse> {
  const { path, method = 'GET', headers = {}, body } = sent;
  return new Promise((resolve, reject) => {
    const session = connect(server, tls as Parameters<typeof connect>[1] & object);
    session.once('error', reject);
    const stream = session.request({ ...headers, ':method': method, ':path': path } as Record<
      string,
      string
    >);
    stream.once('close', () => session.close());
    let trailers: Record<string, unknown> = {};
    stream.once('trailers', (fields) => {
      // Without the list of sensitive headers, which has a symbol for its name.
      trailers = Object.fromEntries(Object.entries(fields));
    });
    stream.once('error', reject).once('response', (fields) =>
      resolve(
        received(stream, {
          status: fields[':status'] ?? 0,
          headers: fields,
          trailers: () => trailers,
          isWhole: () => stream.rstCode === constants.NGHTTP2_NO_ERROR,
          code: () => stream.rstCode,
          leave: () => stream.close(constants.NGHTTP2_CANCEL),
        }),
      ),
    );
    stream.end(body);
  });
}

interface Incoming {
  readonly status: number;
  readonly headers: ReceivedResponse['headers'];
  readonly trailers: () => Readonly<Record<string, unknown>>;
  readonly isWhole: () => boolean;
  readonly code: () => number | undefined;
  readonly leave: () => void;
}

function received(stream: Readable, incoming: Incoming): ReceivedResponse {
  const reads: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => reads.push(chunk)).on('error', () => undefined);
  const ended = new Promise<Awaited<ReceivedResponse['ended']>>((resolve) =>
    stream.once('close', () =>
      resolve({
        body: Buffer.concat(reads),
        cut: !incoming.isWhole(),
        trailers: incoming.trailers(),
        code: incoming.code(),
      }),
    ),
  );
  return {
    status: incoming.status,
    headers: incoming.headers,
    reads,
    ended,
    holds: (bytes) =>
      new Promise((resolve) => {
        const check = () => {
          if (reads.reduce((sum, { length }) => sum + length, 0) < bytes) return;
          stream.off('data', check);
          resolve();
        };
        stream.on('data', check);
        check();
      }),
    pause: () => stream.pause(),
    leave: incoming.leave,
  };
}

import { sleep, systemClock } from '@logtool/kube/src/values/clock.ts';
import type { User } from '../http/request.ts';
import { type Target, Unreachable } from './connect.ts';
import { userHeaders } from './forwarded-headers.ts';
import type { ProxyContext } from './proxy.ts';

export interface OwnAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
}

/** As this user the API server asks extension API servers for itself. */
const AGGREGATOR: User = { name: 'system:kube-aggregator', groups: ['system:masters'] };
/** Of the machine's time: the network goes on while the cluster's clock stands still or leaps. */
const LIMIT_MS = 6000;
const MAX_BYTES = 4 * 1024 * 1024;

/** Asks an extension API server for a document of its discovery. Throws Unreachable, also when it takes too long. */
export async function askForItself(
  { upstreams }: ProxyContext,
  target: Target,
  path: string,
  signal: AbortSignal,
  accept?: string,
): Promise<OwnAnswer> {
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const late = sleep(systemClock, LIMIT_MS, either).then(() => {
    throw new Unreachable('context deadline exceeded');
  });
  const headers = {
    'user-agent': 'Go-http-client/2.0',
    ...(accept === undefined ? {} : { accept }),
    ...userHeaders(AGGREGATOR),
  };
  const asked = async (): Promise<OwnAnswer> => {
    const request = { method: 'GET', path, headers, body: undefined, signal: either };
    const response = await upstreams.ask(target, request);
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > MAX_BYTES) throw new Unreachable('the document is too large');
      chunks.push(chunk);
    }
    if (!response.whole()) throw new Unreachable('unexpected EOF');
    const contentType = String(response.headers['content-type'] ?? '');
    return { status: response.status, contentType, body: Buffer.concat(chunks) };
  };
  try {
    return await Promise.race([asked(), late]);
  } finally {
    over.abort();
  }
}

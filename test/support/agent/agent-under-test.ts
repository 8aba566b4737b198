import { once } from 'node:events';
import { connect } from 'node:http2';
import { request } from 'node:https';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { trustOf } from '@logtool/logtool/src/agent/serve/api-trust.ts';
import { type AgentReport, serveAgent } from '@logtool/logtool/src/agent/serve/serve-agent.ts';
import type { ServedHttps } from '@logtool/logtool/src/agent-api/http/https-server.ts';
import {
  AccessReviews,
  type AccessReviewsOptions,
} from '@logtool/logtool/src/agent-api/review/access-reviews.ts';
import { type Authority, createAuthority, type Identity } from '@logtool/simcluster/src/access/tls.ts';

export interface Answer {
  readonly code: number;
  readonly type: string | undefined;
  /** The header of that name. */
  readonly retryAfter: string | undefined;
  readonly body: Buffer;
  /** The connection or stream ended before the body did. */
  readonly isCut: boolean;
}

export interface Ask {
  readonly identity?: Identity | undefined;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly method?: string;
  /** Called when the answer begins, before its body. */
  readonly onHead?: () => void;
  /** Called with each piece of the body; no more is read until it is done. If it rejects, the caller leaves. */
  readonly onBody?: (piece: Buffer) => Promise<void>;
}

export type Review = AccessReviewsOptions['client']['reviewSubject'];

export interface UnderTest {
  readonly root: string;
  readonly clock: Clock;
  readonly review?: Review;
  readonly allowedNamespaces?: readonly string[];
  readonly searches?: number;
  readonly maxScanBytes?: number;
}

const JANE = { 'X-Remote-User': 'jane', 'X-Remote-Group': ['dev', 'system:authenticated'] };

/** The agent of a node over real TLS, with certificates of its own; the API server's reviews are a function. */
export class AgentUnderTest {
  /** Signs the certificates of the API and the agents. */
  readonly authority: Authority;
  /** The API of logtool. */
  readonly api: Identity;
  readonly reports: readonly AgentReport[];
  readonly #served: ServedHttps;

  private constructor(
    authority: Authority,
    api: Identity,
    reports: readonly AgentReport[],
    served: ServedHttps,
  ) {
    this.authority = authority;
    this.api = api;
    this.reports = reports;
    this.#served = served;
  }

  static async start({ review = async () => true, allowedNamespaces = [], clock, ...options }: UnderTest) {
    const authority = await createAuthority('logtool-ca');
    const api = await authority.issueClient('logtool-api', []);
    const reports: AgentReport[] = [];
    const trust = trustOf(authority.certificate);
    const served = await serveAgent({
      ...(await authority.issueServer(['localhost'])),
      host: 'localhost',
      port: 0,
      ...options,
      clock,
      trust: () => trust,
      reviews: new AccessReviews({ clock, allowedNamespaces, client: { reviewSubject: review } }),
      report: (report) => reports.push(report),
    });
    return new AgentUnderTest(authority, api, reports, served);
  }

  /** Asks over HTTP/1.1, by default as the API for Jane. */
  http1(path: string, ask: Ask = {}): Promise<Answer> {
    const { headers = JANE, method = 'GET' } = ask;
    const options = { ...this.#tls(ask), host: 'localhost', port: this.#served.port, path, headers, method };
    return new Promise((resolve, reject) => {
      request({ ...options, agent: false }, async (response) => {
        ask.onHead?.();
        const { body, isCut } = await readAll(response, ask.onBody);
        const { 'content-type': type, 'retry-after': retryAfter } = response.headers;
        resolve({ code: response.statusCode ?? 0, type, retryAfter, body, isCut });
      })
        .on('error', reject)
        .end();
    });
  }

  /** The same over HTTP/2. */
  async http2(path: string, ask: Ask = {}): Promise<Answer> {
    const session = connect(`https://localhost:${this.#served.port}`, this.#tls(ask));
    const { headers = JANE, method = 'GET' } = ask;
    try {
      const stream = session.request({ ':path': path, ':method': method, ...headers });
      const [head] = await once(stream, 'response');
      ask.onHead?.();
      const { body, isCut } = await readAll(stream, ask.onBody);
      return {
        code: head[':status'],
        type: head['content-type'],
        retryAfter: head['retry-after'],
        body,
        isCut,
      };
    } finally {
      session.close();
    }
  }

  close(): Promise<void> {
    return this.#served.close();
  }

  #tls(ask: Ask) {
    const identity = 'identity' in ask ? ask.identity : this.api;
    const own = identity === undefined ? {} : { cert: identity.certificate, key: identity.key };
    return { ca: this.authority.certificate, ...own };
  }
}

async function readAll(stream: AsyncIterable<Buffer>, onBody?: Ask['onBody']) {
  const chunks: Buffer[] = [];
  let isCut = false;
  try {
    for await (const chunk of stream) {
      chunks.push(chunk);
      await onBody?.(chunk);
    }
  } catch {
    isCut = true;
  }
  return { body: Buffer.concat(chunks), isCut };
}

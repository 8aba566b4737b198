import type { X509Certificate } from 'node:crypto';
import { CONFIG_MAPS } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeClient, KubeObject, ReflectorEvent } from '@logtool/kube/src/client.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { badCaller, type Status, unauthorized, unavailable } from '../status/status.ts';
import { type CertificateProblem, judgeCertificate } from './judge-certificate.ts';
import { type Identity, type IdentityProblem, readIdentity } from './read-identity.ts';
import { parseRequestHeader, type RequestHeader, type RequestHeaderProblem } from './request-header.ts';

const CONFIG_MAP = { namespace: 'kube-system', name: 'extension-apiserver-authentication' };

/** What of a request tells who asks. */
export interface AskedBy {
  /** The certificate whose key the handshake proved: `socket.getPeerX509Certificate()`. */
  readonly leaf: X509Certificate | undefined;
  readonly rawHeaders: readonly string[];
}

/** Why nobody is known to ask; for the log of the server, not for the caller. */
export type AskedByProblem =
  | CertificateProblem
  | IdentityProblem
  | 'unknown-front-proxy'
  | RequestHeaderProblem['problem'];

/** Who asks, or what to answer instead. */
export type Caller =
  | { readonly identity: Identity }
  | { readonly problem: AskedByProblem; readonly status: Status };

/** Decides who asks, by the ConfigMap in which the API server publishes how to recognize it. */
export class FrontProxy {
  readonly #clock: Clock;
  #header: RequestHeader | RequestHeaderProblem | undefined;
  /** The ConfigMap may not be read at present; `#header` is what it said before. */
  #isWithdrawn = false;
  #onKnown: () => void = () => undefined;
  /** Resolves when the ConfigMap was read for the first time, whatever it says. */
  readonly known: Promise<void> = new Promise((resolve) => {
    this.#onKnown = resolve;
  });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Follows the ConfigMap until the signal aborts. Throws a KubeError if its first reading fails. A ConfigMap that is
   * gone, unreadable or no longer permitted lets nobody in: an authority that was replaced must not stay trusted.
   */
  async follow(client: Pick<KubeClient, 'reflect'>, signal: AbortSignal): Promise<void> {
    for await (const event of client.reflect<KubeObject & { readonly data?: unknown }>(
      CONFIG_MAPS,
      CONFIG_MAP,
      {
        signal,
      },
    )) {
      if (event.type === 'snapshot') this.#learn(event.objects[0]);
      else if (event.type === 'changed') this.#learn(event.object);
      else if (event.type === 'deleted') this.#learn(undefined);
      else if (event.type === 'state') this.#isWithdrawn = this.#isStillWithdrawn(event);
      else event satisfies never;
    }
  }

  /**
   * Whether the ConfigMap may not be read. A refused watch alone is `polling`; after a refused list, the next one that
   * works is `polling` or `live`, also if nothing has changed. Failures of another kind say nothing.
   */
  #isStillWithdrawn({
    state,
    error,
  }: Extract<ReflectorEvent<KubeObject>, { readonly type: 'state' }>): boolean {
    return state === 'retrying' && (error?.kind === 'forbidden' || this.#isWithdrawn);
  }

  #learn(configMap: { readonly data?: unknown } | undefined): void {
    this.#isWithdrawn = false;
    this.#header = configMap === undefined ? undefined : parseRequestHeader(configMap.data);
    this.#onKnown();
  }

  /** Decides who asks now. Ask at each request: the authority may have changed since the connection was opened. */
  callerOf(asked: AskedBy): Caller {
    const header = this.#header;
    if (header === undefined || this.#isWithdrawn || 'problem' in header) {
      const status = unavailable('front-proxy');
      const problem = header !== undefined && 'problem' in header ? header.problem : 'unknown-front-proxy';
      return { problem, status };
    }
    return callerBy(header, asked, this.#clock.now());
  }
}

/**
 * Decides who asks, by how the server in front is recognized and names its caller. `nowMs`: ms since the epoch; ask at
 * each request, because connections outlive certificates.
 */
export function callerBy(header: RequestHeader, { leaf, rawHeaders }: AskedBy, nowMs: number): Caller {
  const untrusted = judgeCertificate(leaf, header, nowMs);
  if (untrusted !== undefined) return { problem: untrusted, status: unauthorized() };
  const identity = readIdentity(rawHeaders, header);
  if (!('problem' in identity)) return { identity };
  const { problem } = identity;
  const status = problem === 'no-user' ? unauthorized() : badCaller();
  return { problem, status };
}

import { type ClusterClient, createKubeClient } from '@logtool/kube/src/create-client.ts';
import type { RequestReport } from '@logtool/kube/src/transport/wire.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { serverFailure } from '../failures.ts';
import type { Logger, Session } from '../services.ts';
import { toWireError } from '../to-wire-error.ts';
import type { ContextEntry, ContextSource } from './context-source.ts';
import { type RenewableConnection, renewableConnection } from './renewable-connection.ts';
import { reviewFollowedLogs } from './review-followed-logs.ts';
import { reviewWatches } from './review-watches.ts';

/** How long an unused client keeps its sockets and its cached data about the cluster. */
export const IDLE_MS = 5 * 60_000;

export interface PoolOptions {
  readonly source: ContextSource;
  readonly clock: Clock;
  readonly version: string;
  readonly logger: Logger;
  /** Each person uses their own token: a session without one gets no client (`--auth kubernetes`). */
  readonly needsBearer?: boolean | undefined;
  /** Called when a cluster answers 401 to a person's own token. */
  readonly onUnauthorized?: ((session: Session) => void) | undefined;
  readonly onRequest?: ((report: RequestReport) => void) | undefined;
}

interface Pooled {
  readonly entry: ContextEntry;
  readonly identity: string;
  readonly connection: RenewableConnection;
  readonly client: ClusterClient;
  readonly closed: AbortController;
  userPrint: string;
  leases: number;
  /** No longer leased out: the last lease closes it. */
  isRetired: boolean;
  cancelIdle: () => void;
}

/** Returns whose credentials a session uses: its own, or (empty) the server's. */
export function identityOf(session: Session): string {
  return session.bearer === undefined ? '' : session.id;
}

/** Whether a session may see that context and send it its token: not if the context leads to another cluster. */
export function leadsHome(entry: ContextEntry, session: Session): boolean {
  return session.server === undefined || session.server === entry.server;
}

/** Leases one client for each context and identity, and closes it when idle. */
export class ClientPool {
  readonly #options: PoolOptions;
  readonly #pooled = new Map<string, Promise<Pooled>>();
  readonly #stopListening: () => void;
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#stopListening = options.source.onChange(() => void this.#followSource());
  }

  /** Leases a client. Throws CodedError `context-not-found`, `closing`, and what opening a connection throws. */
  async lease(
    context: string,
    session: Session,
  ): Promise<{ client: ClusterClient; closed: AbortSignal; release(): void }> {
    if (this.#isClosed) throw closing();
    const entry = this.#options.source.contexts.get(context);
    if (entry === undefined || !leadsHome(entry, session)) throw notFound(context);
    if (this.#options.needsBearer === true && session.bearer === undefined)
      throw new Error('a session without a token of its own');
    const identity = identityOf(session);
    const key = keyOf(context, identity);
    let pending = this.#pooled.get(key);
    if (pending === undefined) {
      pending = this.#open(entry, identity, session);
      this.#pooled.set(key, pending);
      pending.catch(() => this.#forget(key, pending));
    }
    const pooled = await pending;
    // Retired while this call waited: it may be closed already.
    if (pooled.isRetired) return this.lease(context, session);
    pooled.leases++;
    pooled.cancelIdle();
    let isReleased = false;
    const release = () => {
      if (isReleased) return;
      isReleased = true;
      this.#giveBack(key, pooled);
    };
    return { client: pooled.client, closed: pooled.closed.signal, release };
  }

  /** Closes the clients of an ended session, including those with running streams. */
  async endSession({ id }: { readonly id: string }): Promise<void> {
    for (const [key, pending] of [...this.#pooled]) {
      const pooled = await settled(pending);
      if (pooled === undefined || pooled.identity !== id) continue;
      this.#pooled.delete(key);
      pooled.isRetired = true;
      end(pooled);
    }
  }

  /** Closes every client, leased or not; later leases fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopListening();
    const all = [...this.#pooled.values()];
    this.#pooled.clear();
    for (const pending of all) {
      const pooled = await settled(pending);
      if (pooled === undefined) continue;
      pooled.isRetired = true;
      end(pooled);
    }
  }

  async #open(entry: ContextEntry, identity: string, session: Session): Promise<Pooled> {
    const { source, clock, version, logger, onUnauthorized, onRequest } = this.#options;
    const connection = renewableConnection(await source.open(entry.name, session.bearer));
    const client = createKubeClient(connection, {
      clock,
      userAgent: `logtool/${version}`,
      onRequest: (report) => {
        const { method, url, status, durationMs, error } = report;
        onRequest?.(report);
        logger.debug({ method, url, status, durationMs: Math.round(durationMs), error }, 'asked the cluster');
        if (status === 401 && session.bearer !== undefined) onUnauthorized?.(session);
      },
    });
    const { userPrint } = entry;
    return {
      entry,
      identity,
      connection,
      client: reviewWatches(reviewFollowedLogs(client, clock), clock),
      closed: new AbortController(),
      userPrint,
      leases: 0,
      isRetired: false,
      cancelIdle() {},
    };
  }

  #giveBack(key: string, pooled: Pooled): void {
    pooled.leases--;
    if (pooled.leases > 0) return;
    if (pooled.isRetired) {
      end(pooled);
      return;
    }
    pooled.cancelIdle = this.#options.clock.after(IDLE_MS, () => {
      if (pooled.leases > 0) return;
      this.#pooled.delete(key);
      end(pooled);
    });
  }

  #forget(key: string, pending: Promise<Pooled> | undefined): void {
    if (this.#pooled.get(key) === pending) this.#pooled.delete(key);
  }

  /** Applies the current kubeconfig: another cluster for new leases, renewed credentials for open ones too. */
  async #followSource(): Promise<void> {
    for (const [key, pending] of [...this.#pooled]) {
      const pooled = await settled(pending);
      if (pooled === undefined || this.#pooled.get(key) !== pending) continue;
      const now = this.#options.source.contexts.get(pooled.entry.name);
      if (now === undefined || now.clusterPrint !== pooled.entry.clusterPrint) this.#retire(key, pooled);
      else if (pooled.identity === '' && now.userPrint !== pooled.userPrint) await this.#renew(pooled, now);
    }
  }

  #retire(key: string, pooled: Pooled): void {
    this.#pooled.delete(key);
    pooled.isRetired = true;
    pooled.cancelIdle();
    if (pooled.leases === 0) end(pooled);
  }

  async #renew(pooled: Pooled, now: ContextEntry): Promise<void> {
    try {
      pooled.connection.renew(await this.#options.source.open(now.name, undefined));
      pooled.userPrint = now.userPrint;
    } catch (error) {
      const { code, data } = toWireError(error);
      this.#options.logger.warn({ context: now.name, code, data }, 'cannot use the new credentials');
    }
  }
}

function end(pooled: Pooled): void {
  pooled.cancelIdle();
  pooled.closed.abort(new Error('the client is closed'));
  pooled.client.close();
}

function keyOf(context: string, identity: string): string {
  return JSON.stringify([context, identity]);
}

/** The client's requester receives the failure. */
function settled(pending: Promise<Pooled>): Promise<Pooled | undefined> {
  return pending.catch(() => undefined);
}

function closing(): CodedError {
  return serverFailure('closing', {});
}

function notFound(context: string): CodedError {
  return serverFailure('context-not-found', { context: context.slice(0, 200) });
}

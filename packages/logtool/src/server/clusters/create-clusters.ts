import { NODES } from '@logtool/kube/src/builtin-resources.ts';
import type { ClusterClient } from '@logtool/kube/src/create-client.ts';
import { isKubeError } from '@logtool/kube/src/errors.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { kubeFailure } from '@logtool/kube/src/values/failures.ts';
import type { Context } from '../../contract/cluster.ts';
import type { Clusters, Session } from '../services.ts';
import { toWireError } from '../to-wire-error.ts';
import { ClientPool, identityOf, leadsHome, type PoolOptions } from './client-pool.ts';
import type { ContextSource } from './context-source.ts';

/** The state of a cluster at the last check. */
type Reached = Pick<Context, 'reachability' | 'version' | 'nodes' | 'error'>;

/** A cluster that does not answer within this time is unreachable. */
export const ASK_TIMEOUT_MS = 10_000;

export interface OwnedClusters extends Clusters {
  /** Closes what a session has open and forgets what it learned. */
  endSession(session: { readonly id: string }): Promise<void>;
  close(): Promise<void>;
}

/**
 * Returns the clusters of a source as sessions may see and use them. `close` ends connections and the watch on the
 * source.
 */
export function createClusters(options: PoolOptions): OwnedClusters {
  return new SourceClusters(options);
}

class SourceClusters implements OwnedClusters {
  readonly #source: ContextSource;
  readonly #clock: Clock;
  readonly #pool: ClientPool;
  /** By identity, then by context. An entry is valid as long as the context leads to the same cluster. */
  readonly #reached = new Map<string, Map<string, { readonly print: string; readonly answer: Reached }>>();
  readonly #checks = new Map<string, Promise<void>>();

  constructor(options: PoolOptions) {
    this.#source = options.source;
    this.#clock = options.clock;
    this.#pool = new ClientPool(options);
  }

  list(session: Session): ReturnType<Clusters['list']> {
    const { revision, error } = this.#source;
    const contexts = [...this.#source.contexts.values()]
      .filter((entry) => leadsHome(entry, session))
      .map(
        ({ name, server, namespace, isCurrent }): Context => ({
          name,
          server,
          namespace,
          isCurrent,
          ...this.#answerOf(name, session),
        }),
      );
    return { revision, contexts, error };
  }

  /** Concurrent checks of the same cluster share one answer. */
  async check(context: string, session: Session, signal: AbortSignal): Promise<void> {
    const key = JSON.stringify([context, identityOf(session)]);
    let running = this.#checks.get(key);
    if (running === undefined) {
      running = this.#reach(context, session).finally(() => this.#checks.delete(key));
      this.#checks.set(key, running);
    }
    await untilAborted(running, signal);
  }

  changed(revision: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (this.#source.revision > revision || signal.aborted) return resolve();
      const finish = () => {
        stop();
        signal.removeEventListener('abort', finish);
        resolve();
      };
      const stop = this.#source.onChange(finish);
      signal.addEventListener('abort', finish, { once: true });
    });
  }

  client(context: string, session: Session): ReturnType<Clusters['client']> {
    return this.#pool.lease(context, session);
  }

  async endSession(session: { readonly id: string }): Promise<void> {
    this.#reached.delete(session.id);
    await this.#pool.endSession(session);
  }

  async close(): Promise<void> {
    this.#source.close();
    await this.#pool.close();
  }

  #answerOf(context: string, session: Session): Reached {
    const entry = this.#source.contexts.get(context);
    const known = this.#reached.get(identityOf(session))?.get(context);
    const isCurrent = known !== undefined && entry !== undefined && known.print === printOf(entry);
    return isCurrent ? known.answer : { reachability: 'unknown' };
  }

  async #reach(context: string, session: Session): Promise<void> {
    const entry = this.#source.contexts.get(context);
    if (entry === undefined || !leadsHome(entry, session)) return;
    const answer = await this.#askWithin(context, session);
    const identity = identityOf(session);
    const ofIdentity = this.#reached.get(identity) ?? new Map();
    this.#reached.set(identity, ofIdentity.set(context, { print: printOf(entry), answer }));
  }

  async #askWithin(context: string, session: Session): Promise<Reached> {
    const stop = new AbortController();
    const cancel = this.#clock.after(ASK_TIMEOUT_MS, () => stop.abort(noAnswer(context)));
    try {
      const lease = await this.#pool.lease(context, session);
      try {
        return await askCluster(lease.client, stop.signal);
      } finally {
        lease.release();
      }
    } catch (error) {
      return { reachability: 'unreachable', error: toWireError(error) };
    } finally {
      cancel();
    }
  }
}

function printOf(entry: { readonly clusterPrint: string; readonly userPrint: string }): string {
  return entry.clusterPrint + entry.userPrint;
}

/** Waits for a shared result; a client that disconnects stops waiting. */
async function untilAborted(running: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  let leave = () => {};
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  signal.addEventListener('abort', leave, { once: true });
  await Promise.race([running, left]);
  signal.removeEventListener('abort', leave);
}

/** Returns the failure of a cluster that did not answer in time (ASK_TIMEOUT_MS). */
export function noAnswer(context: string): CodedError {
  return kubeFailure('unreachable', { problem: 'timeout', context, limitMs: ASK_TIMEOUT_MS });
}

/**
 * Checks whether the cluster answers and accepts the credentials, its version and its number of nodes. Never rejects.
 */
async function askCluster(client: ClusterClient, signal: AbortSignal): Promise<Reached> {
  try {
    const [version, nodes] = await Promise.all([client.version({ signal }), countNodes(client, signal)]);
    return { reachability: 'reachable', version, ...(nodes === undefined ? {} : { nodes }) };
  } catch (error) {
    return { reachability: 'unreachable', error: toWireError(error, client.cluster) };
  }
}

/** Counts the nodes; undefined if listing them is forbidden. */
async function countNodes(client: ClusterClient, signal: AbortSignal): Promise<number | undefined> {
  let count = 0;
  try {
    for await (const { items } of client.list(NODES, { metadataOnly: true }, { signal }))
      count += items.length;
    return count;
  } catch (error) {
    if (isKubeError(error, 'forbidden')) return undefined;
    throw error;
  }
}

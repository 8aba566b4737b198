import { LogtoolError } from '@logtool/kube/src/values/errors.ts';
import type { Context } from '../../contract/cluster.ts';
import type { Clusters, Session } from '../services.ts';
import { toWireError } from '../to-wire-error.ts';
import { askCluster, type Reached } from './ask-cluster.ts';
import { ClientPool, identityOf, leadsHome, type PoolOptions } from './client-pool.ts';

/** A cluster that has not answered by then is unreachable. */
export const ASK_TIMEOUT_MS = 10_000;

export interface OwnedClusters extends Clusters {
  /** Closes what a session has open and forgets what it learned. */
  endSession(session: { readonly id: string }): Promise<void>;
  close(): Promise<void>;
}

/** The clusters of a source as sessions may see and use them. `close` ends connections and the watch on the source. */
export function createClusters(options: PoolOptions): OwnedClusters {
  const { source, clock } = options;
  const pool = new ClientPool(options);
  /** By identity, then by context. What was learned of a cluster counts as long as the context leads to it. */
  const reached = new Map<string, Map<string, { readonly print: string; readonly said: Reached }>>();
  const asking = new Map<string, Promise<void>>();

  function saidOf(context: string, session: Session): Reached {
    const entry = source.contexts.get(context);
    const known = reached.get(identityOf(session))?.get(context);
    const isOf = known !== undefined && entry !== undefined && known.print === printOf(entry);
    return isOf ? known.said : { reachability: 'unknown' };
  }

  async function ask(context: string, session: Session): Promise<void> {
    const entry = source.contexts.get(context);
    if (entry === undefined || !leadsHome(entry, session)) return;
    const said = await askWithin(context, session);
    const identity = identityOf(session);
    const ofIdentity = reached.get(identity) ?? new Map();
    reached.set(identity, ofIdentity.set(context, { print: printOf(entry), said }));
  }

  async function askWithin(context: string, session: Session): Promise<Reached> {
    const stop = new AbortController();
    const cancel = clock.after(ASK_TIMEOUT_MS, () => stop.abort(noAnswer(context)));
    try {
      const lease = await pool.lease(context, session);
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

  return {
    list(session) {
      const contexts = [...source.contexts.values()]
        .filter((entry) => leadsHome(entry, session))
        .map(
          ({ name, server, namespace, isCurrent }): Context => ({
            name,
            server,
            namespace,
            isCurrent,
            ...saidOf(name, session),
          }),
        );
      const { revision, error } = source;
      return { revision, contexts, ...(error === undefined ? {} : { error }) };
    },
    async check(context, session, signal) {
      const key = JSON.stringify([context, identityOf(session)]);
      let running = asking.get(key);
      if (running === undefined) {
        running = ask(context, session).finally(() => asking.delete(key));
        asking.set(key, running);
      }
      await untilAborted(running, signal);
    },
    changed: (revision, signal) =>
      new Promise((resolve) => {
        if (source.revision > revision || signal.aborted) return resolve();
        const finish = () => {
          stop();
          signal.removeEventListener('abort', finish);
          resolve();
        };
        const stop = source.onChange(finish);
        signal.addEventListener('abort', finish, { once: true });
      }),
    client: (context, session) => pool.lease(context, session),
    async endSession(session) {
      reached.delete(session.id);
      await pool.endSession(session);
    },
    async close() {
      source.close();
      await pool.close();
    },
  };
}

function printOf(entry: { readonly clusterPrint: string; readonly userPrint: string }): string {
  return entry.clusterPrint + entry.userPrint;
}

/** Others may wait for the same; whoever has gone waits no more. */
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

/** A cluster that has said nothing in time (ASK_TIMEOUT_MS). */
export function noAnswer(context: string): LogtoolError {
  return new LogtoolError({
    code: 'unreachable',
    what: `the cluster of context "${context}" does not answer`,
    why: `nothing came for ${ASK_TIMEOUT_MS / 1000} s`,
    next: 'check that the network, a VPN or a proxy leads to it, then try again',
  });
}

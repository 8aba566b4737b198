import { createKubeClient } from '@logtool/kube/src/create-client.ts';
import { isKubeError } from '@logtool/kube/src/errors.ts';
import { describeKubeError } from '@logtool/kube/src/failure/describe.ts';
import type { RequestReport } from '@logtool/kube/src/transport/wire.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { serverFailure } from '../failures.ts';
import { type Asker, CheckTurns } from './check-turns.ts';
import type { ContextEntry, ContextSource } from './context-source.ts';
import { ASK_TIMEOUT_MS, noAnswer } from './create-clusters.ts';

/** The user whom a cluster recognized. */
export interface Recognized {
  /** Undefined if the cluster does not report it. */
  readonly user: string | undefined;
  /** URL of the API server, as contexts show it. */
  readonly server: string;
}

/**
 * Asks an API server whose token this is: the current context's, or (for a token recognized earlier) the one at that
 * URL. Throws CodedError: `wrong-token` if it does not know the token, `too-many-sign-ins`, and the reason if the
 * cluster does not answer.
 */
export type CheckToken = (token: string, asker: Asker, server?: string) => Promise<Recognized>;

/** Returns a check of tokens against the clusters of a source. Each check opens and closes its own connection. */
export function tokenCheck(options: {
  readonly source: ContextSource;
  readonly clock: Clock;
  readonly version: string;
  readonly onRequest?: ((report: RequestReport) => void) | undefined;
}): CheckToken {
  const { source, clock, version, onRequest } = options;
  const turns = new CheckTurns(clock);

  async function ask(token: string, entry: ContextEntry): Promise<string | undefined> {
    const connection = await source.open(entry.name, token);
    const client = createKubeClient(connection, { clock, userAgent: `logtool/${version}`, onRequest });
    const stop = new AbortController();
    const cancel = clock.after(ASK_TIMEOUT_MS, () => stop.abort(noAnswer(entry.name)));
    try {
      return await client.self({ signal: stop.signal });
    } catch (error) {
      throw isKubeError(error, 'unauthorized') ? wrongToken(error) : describeKubeError(error, client.cluster);
    } finally {
      cancel();
      client.close();
    }
  }

  return async (token, asker, server) => {
    const entry = entryOf([...source.contexts.values()], server);
    return turns.run(asker, async () => {
      try {
        return { user: await ask(token, entry), server: entry.server };
      } catch (error) {
        if (error instanceof CodedError && error.code === 'wrong-token') turns.failed(asker);
        throw error;
      }
    });
  };
}

/** Chooses the only cluster that may see a token: the current one, or the only one that exists. */
function entryOf(entries: readonly ContextEntry[], server: string | undefined): ContextEntry {
  const found =
    server === undefined
      ? (entries.find(({ isCurrent }) => isCurrent) ??
        (new Set(entries.map((entry) => entry.server)).size === 1 ? entries[0] : undefined))
      : entries.find((entry) => entry.server === server);
  if (found !== undefined) return found;
  throw serverFailure('no-cluster-for-sign-in', {});
}

function wrongToken(cause: unknown): CodedError {
  return serverFailure('wrong-token', { problem: 'unknown' }, { cause });
}

import type { KubeClient } from '@logtool/kube/src/client.ts';
import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import type { LogQuery } from '../../contract/log-query.ts';
import { readLogs } from '../../stream/view/read-logs.ts';
import { serverFailure } from '../failures.ts';
import type { FrameSource } from '../ndjson/frame-source.ts';
import { line, NDJSON_HEADERS, NdjsonAnswer, streamed } from '../ndjson/ndjson-answer.ts';
import type { MakeHandler } from '../routes/make-handler.ts';
import { checkSourceCount, holdSources } from '../security/limit-sources.ts';
import type { Services } from '../services.ts';
import { personOf } from '../session/person-of.ts';
import { toWireError } from '../to-wire-error.ts';
import { type GuardedQuery, guardQuery } from './guard-query.ts';
import { type QueryOptions, QueryRun } from './query-run.ts';

/** `POST /contexts/{context}/logs`: several queries, one stream. */
export const answerLogs: MakeHandler<'POST /contexts/{context}/logs'> = (services) => async (context) => {
  const { queries } = context.req.valid('json');
  checkIds(queries);
  checkSourceCount(queries);
  const session = context.get('session');
  const lease = await services.clusters.client(context.req.valid('param').context, session);
  let letGo = () => {};
  try {
    const guarded = queries.map((query) => tryToGuard(query, services, lease.client));
    const count = guarded.reduce((sum, { plan }) => sum + (plan?.plan.source.sources.length ?? 0), 0);
    letGo = holdSources(personOf(session), count);
    const answer = new NdjsonAnswer({
      clock: services.clock,
      stream: services.streams.open(session, 'logs'),
      requestSignal: context.req.raw.signal,
      context,
      onEnd: () => {
        letGo();
        lease.release();
      },
    });
    const { clock } = services;
    for (const checked of guarded) {
      const source =
        checked.error === undefined
          ? new QueryRun({
              ...checked.plan,
              read: readerOf(checked.plan, () => services.windowsFirst.begin(session.id)),
              client: lease.client,
              clock,
              person: personOf(session),
              wake: answer.wake,
              onRecords: services.onRecordsSent,
            })
          : refused(checked.query.id, checked.error);
      answer.add(source);
    }
    return streamed(context, answer.body(), NDJSON_HEADERS);
  } catch (error) {
    letGo();
    lease.release();
    throw error;
  }
};

type Checked =
  | { readonly query: LogQuery; readonly plan: GuardedQuery; readonly error?: undefined }
  | { readonly query: LogQuery; readonly plan?: undefined; readonly error: CodedError };

/** `beginWindow`: notes that a window is being read; returns a function that notes its end. */
function readerOf({ plan }: GuardedQuery, beginWindow: () => () => void): QueryOptions['read'] {
  return async function* (context, sources) {
    const end = plan.engine.window.follow ? undefined : beginWindow();
    try {
      yield* readLogs(context, sources, plan.engine);
    } finally {
      end?.();
    }
  };
}

/** An invalid query only ends itself; a forbidden one refuses the request. */
function tryToGuard(query: LogQuery, services: Services, client: KubeClient): Checked {
  try {
    return { query, plan: guardQuery(query, services, client) };
  } catch (error) {
    if (!(error instanceof CodedError) || error.code === 'namespace-not-allowed') throw error;
    return { query, error };
  }
}

function refused(q: number, error: CodedError): FrameSource {
  let piece: Uint8Array | undefined = line({ type: 'done', q, error: toWireError(error), final: true });
  return {
    take() {
      const taken = piece;
      piece = undefined;
      return taken;
    },

    get ended() {
      return piece === undefined;
    },
    close: () => undefined,
  };
}

function checkIds(queries: readonly LogQuery[]): void {
  if (new Set(queries.map(({ id }) => id)).size === queries.length) return;
  throw serverFailure('bad-query', { problem: 'same-id' }, { exit: 'usage' });
}

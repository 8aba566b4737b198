import type { KubeClient } from '@logtool/kube/src/client.ts';
import { describeKubeError } from '@logtool/kube/src/failure/describe.ts';
import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import type { WhyAnswer } from '../../contract/why.ts';
import { type ExplainContext, explainSource } from '../../happenings/why/explain-source.ts';
import { resolveSources } from '../../resolve/resolve-sources.ts';
import { oneContainer } from '../../stream/plan/one-container.ts';
import { readLogs } from '../../stream/view/read-logs.ts';
import { serverFailure } from '../failures.ts';
import type { MakeHandler } from '../routes/make-handler.ts';
import { holdSources } from '../security/limit-sources.ts';
import { type Services, StreamClosing } from '../services.ts';
import { personOf } from '../session/person-of.ts';
import { toWireError } from '../to-wire-error.ts';
import { type FactsPlan, planFacts } from './plan-facts.ts';
import { toWireExplanation } from './to-wire-explanation.ts';
import { toWireNotice } from './to-wire-fact.ts';

/** Time limit: the client waits for the whole answer. */
const LIMIT_MS = 30_000;
/** Default time range: leaves out what ended before it. */
const SINCE_MS = 3_600_000;

/** `POST /contexts/{context}/why`: the causes, with their proof. Ends with the session, and when the page leaves. */
export const answerWhy: MakeHandler<'POST /contexts/{context}/why'> = (services) => async (context) => {
  const query = context.req.valid('json');
  const session = context.get('session');
  const lease = await services.clusters.client(context.req.valid('param').context, session);
  const { client } = lease;
  const ends: (() => void)[] = [() => lease.release()];
  try {
    const plan = planFacts(query, services, client);
    ends.push(holdSources(personOf(session), plan.source.sources.length));
    const stream = services.streams.open(session, 'why');
    ends.push(() => stream.end());
    const timeout = timeoutAfter(services, LIMIT_MS);
    ends.push(timeout.cancel);
    const signal = AbortSignal.any([context.req.raw.signal, stream.signal, timeout.signal]);
    return context.json(await explain(services, client, plan, personOf(session), signal), 200);
  } catch (error) {
    throw reasonOf(error, client);
  } finally {
    for (const end of ends) end();
  }
};

async function explain(
  { clock }: Services,
  client: KubeClient,
  { q, source, query: { from } }: FactsPlan,
  person: string,
  signal: AbortSignal,
): Promise<WhyAnswer> {
  const readLog: ExplainContext['readLog'] = (target, window, readSignal, previousMs) => {
    const { sources, plan } = oneContainer(target, window, previousMs);
    return readLogs({ client, clock, signal: readSignal, person }, sources, plan);
  };
  const nowMs = clock.now();
  const { explanation, notices, failures } = await explainSource(
    { client, signal, clock, resolve: resolveSources, readLog },
    source,
    { since: from ?? timestampFromMs(nowMs - SINCE_MS), now: timestampFromMs(nowMs) },
  );
  signal.throwIfAborted();
  return {
    ...toWireExplanation(explanation),
    notices: notices.map((notice) => toWireNotice(notice, q)),
    failures: failures.map((error) => toWireError(error)),
  };
}

/** Returns what ended the request: the server, the session, or the cluster. */
function reasonOf(error: unknown, { cluster }: KubeClient): unknown {
  if (error instanceof StreamClosing)
    return serverFailure(error.reason === 'shutdown' ? 'closing' : 'not-signed-in', {});
  return describeKubeError(error, cluster);
}

/** Returns a signal that aborts with `answer-too-slow`, unless it is canceled first. */
function timeoutAfter({ clock }: Services, limitMs: number) {
  const abort = new AbortController();
  const cancel = clock.after(limitMs, () => abort.abort(serverFailure('answer-too-slow', { limitMs })));
  return { signal: abort.signal, cancel };
}

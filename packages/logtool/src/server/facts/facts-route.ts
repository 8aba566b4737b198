import type { KubeClient } from '@logtool/kube/src/client.ts';
import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import type * as contract from '../../contract/facts.ts';
import type { Fact } from '../../domain/facts/fact.ts';
import type { FactQuery } from '../../happenings/fact-feed.ts';
import { type FactsFrame, readFacts } from '../../happenings/read-facts.ts';
import type { SourcePlan } from '../../resolve/resolve.ts';
import { resolveSources } from '../../resolve/resolve-sources.ts';
import { guardQuery } from '../logs/guard-query.ts';
import { planTime } from '../logs/plan-query.ts';
import { isAway } from '../logs/query-run.ts';
import { FramePump } from '../ndjson/frame-pump.ts';
import { NDJSON_HEADERS, NdjsonAnswer, streamed } from '../ndjson/ndjson-answer.ts';
import type { MakeHandler } from '../routes/make-handler.ts';
import { holdSources } from '../security/limit-sources.ts';
import type { Services } from '../services.ts';
import { personOf } from '../session/person-of.ts';
import { toWireError } from '../to-wire-error.ts';

/** Facts of one frame. */
const BATCH = 100;

/** `POST /contexts/{context}/facts`: what happened to what the sources lead to, and with `follow` what happens. */
export const answerFacts: MakeHandler<'POST /contexts/{context}/facts'> = (services) => async (context) => {
  const query = context.req.valid('json');
  const session = context.get('session');
  const lease = await services.clusters.client(context.req.valid('param').context, session);
  let letGo = () => {};
  try {
    const plan = planFacts(query, services, lease.client);
    letGo = holdSources(personOf(session), plan.source.sources.length);
    const answer = new NdjsonAnswer({
      clock: services.clock,
      stream: services.streams.open(session, 'facts'),
      requestSignal: context.req.raw.signal,
      context,
      onEnd: () => {
        letGo();
        lease.release();
      },
    });
    answer.add(new FramePump((signal) => framesOf(plan, lease.client, signal), answer.wake));
    return streamed(context, answer.body(), NDJSON_HEADERS);
  } catch (error) {
    letGo();
    lease.release();
    throw error;
  }
};

interface FactsPlan {
  readonly q: number;
  readonly source: SourcePlan;
  readonly query: FactQuery;
}

/** Throws usage errors and `namespace-not-allowed`. */
function planFacts(query: contract.FactsQuery, services: Services, client: KubeClient): FactsPlan {
  const { from, to, follow = false, ...sources } = query;
  const window: Parameters<typeof guardQuery>[0] = {
    ...sources,
    follow,
    selection: { kind: 'all' },
    from: from === undefined ? undefined : { kind: 'inclusive', at: from },
    to: to === undefined ? undefined : { kind: 'inclusive', at: to },
  };
  const { source } = guardQuery(window, services, client).plan;
  return {
    q: query.id,
    // What happened to a container that nobody reads may be why another one has no lines.
    source: { ...source, allContainers: true, placement: [] },
    query: {
      follow,
      from: from === undefined ? undefined : planTime(from),
      to: to === undefined ? undefined : planTime(to),
      fold: { clock: services.clock },
    },
  };
}

async function* framesOf(
  { q, source, query }: FactsPlan,
  client: KubeClient,
  signal: AbortSignal,
): AsyncGenerator<contract.FactsFrame, void, undefined> {
  try {
    for await (const frame of readFacts({ client, signal, resolve: resolveSources }, source, query))
      yield* wireFrames(frame, q);
    yield { type: 'done', q };
  } catch (error) {
    if (signal.aborted) return;
    const isFinal = error instanceof CodedError && error.exit === 'usage';
    yield { type: 'done', q, error: toWireError(error, client.cluster), final: isFinal || undefined };
  }
}

function* wireFrames(frame: FactsFrame, q: number): Generator<contract.FactsFrame, void, undefined> {
  switch (frame.type) {
    case 'facts':
      for (let at = 0; at < frame.facts.length; at += BATCH)
        yield { type: 'facts', q, facts: frame.facts.slice(at, at + BATCH).map(toWireFact) };
      return;
    case 'notice': {
      const { cause, ...notice } = frame;
      return yield { ...notice, q, cause: cause && toWireError(cause) };
    }
    case 'failed':
      // Nobody knows yet what the sources lead to: the page asks again, and must not take this for all that happened.
      if (isAway(frame.error)) throw frame.error;
      return yield { type: 'notice', q, code: 'source-failed', error: toWireError(frame.error) };
    case 'read': {
      const { eventsSince } = frame;
      return yield { type: 'read', q, eventsSince: eventsSince && formatTimestamp(eventsSince) };
    }
  }
}

function toWireFact(fact: Fact): contract.WireFact {
  const { at, until, since } = fact;
  return {
    ...fact,
    at: formatTimestamp(at),
    until: until && formatTimestamp(until),
    since: since && formatTimestamp(since),
  };
}

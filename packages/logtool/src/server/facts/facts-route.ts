import type { KubeClient } from '@logtool/kube/src/client.ts';
import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import type * as contract from '../../contract/facts.ts';
import { type FactsFrame, readFacts } from '../../happenings/read-facts.ts';
import { resolveSources } from '../../resolve/resolve-sources.ts';
import { isAway } from '../logs/query-run.ts';
import { FramePump } from '../ndjson/frame-pump.ts';
import { NDJSON_HEADERS, NdjsonAnswer, streamed } from '../ndjson/ndjson-answer.ts';
import type { MakeHandler } from '../routes/make-handler.ts';
import { holdSources } from '../security/limit-sources.ts';
import { personOf } from '../session/person-of.ts';
import { toWireError } from '../to-wire-error.ts';
import { type FactsPlan, planFacts } from './plan-facts.ts';
import { toWireFact, toWireNotice } from './to-wire-fact.ts';

/** Maximum facts per frame. */
const BATCH = 100;

/**
 * `POST /contexts/{context}/facts`: what happened to the objects of the sources, and with `follow` what happens next.
 */
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
    case 'notice':
      return yield toWireNotice(frame, q);
    case 'failed':
      // The objects of the sources are still unknown: the page must retry, and must not take this for the complete
      // history.
      if (isAway(frame.error)) throw frame.error;
      return yield { type: 'notice', q, code: 'source-failed', error: toWireError(frame.error) };
    case 'read': {
      const { eventsSince } = frame;
      return yield { type: 'read', q, eventsSince: eventsSince && formatTimestamp(eventsSince) };
    }
    default:
      frame satisfies never;
  }
}

import type { KubeClient } from '@logtool/kube/src/client.ts';
import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { type ExplainContext, type Explained, explainSource } from '../../happenings/why/explain-source.ts';
import { resolveSources } from '../../resolve/resolve-sources.ts';
import { oneContainer } from '../../stream/plan/one-container.ts';
import { readLogs } from '../../stream/view/read-logs.ts';
import { planFacts, type ReadArguments } from './plan-read.ts';
import type { McpReader } from './reader.ts';
import { withinTime } from './within-time.ts';

/** Omits what ended earlier than this, unless the call gives another time. */
const SINCE_MS = 3_600_000;

/**
 * Explains the state of sources. Throws the failure of a source if nothing could be read, and
 * `read-too-slow`.
 */
export async function readExplanation(
  reader: McpReader,
  client: KubeClient,
  given: Pick<ReadArguments, 'source' | 'since'>,
  callSignal: AbortSignal,
): Promise<Explained> {
  const { clock } = reader;
  const { source, query } = await planFacts(reader, client, given);
  const readLog: ExplainContext['readLog'] = (target, window, signal, previousMs) => {
    const { sources, plan } = oneContainer(target, window, previousMs);
    return readLogs({ client, clock, signal }, sources, plan);
  };
  const nowMs = clock.now();
  const times = { since: query.from ?? timestampFromMs(nowMs - SINCE_MS), now: timestampFromMs(nowMs) };
  const explained = await withinTime(reader, callSignal, (signal) =>
    explainSource({ client, signal, clock, resolve: resolveSources, readLog }, source, times),
  );
  const [failure] = explained.failures;
  if (explained.explanation.outcome === 'unread' && failure !== undefined) throw failure;
  return explained;
}

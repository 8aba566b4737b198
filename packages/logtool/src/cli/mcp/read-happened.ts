import type { KubeClient } from '@logtool/kube/src/client.ts';
import type { Fact } from '../../domain/facts/fact.ts';
import type { FactQuery } from '../../happenings/fact-feed.ts';
import { type FactsFrame, readFacts } from '../../happenings/read-facts.ts';
import type { SourcePlan } from '../../resolve/resolve.ts';
import { resolveSources } from '../../resolve/resolve-sources.ts';
import type { McpReader } from './reader.ts';
import { withinTime } from './within-time.ts';

/** A part of the facts that could not be read. */
export type FactTrouble = Extract<FactsFrame, { readonly type: 'notice' | 'failed' }>;

export interface Happened {
  /** In order. */
  readonly facts: readonly Fact[];
  readonly troubles: readonly FactTrouble[];
}

/** A workload without pods still has a past. */
const WITHOUT_PODS: readonly string[] = ['no-pods', 'filter-leaves-none'];

/** Reads all facts of a plan. Throws the failure of a source if there are no facts, and `read-too-slow`. */
export async function readHappened(
  reader: McpReader,
  client: KubeClient,
  { source, query }: { readonly source: SourcePlan; readonly query: FactQuery },
  callSignal: AbortSignal,
): Promise<Happened> {
  const facts: Fact[] = [];
  const troubles: FactTrouble[] = [];
  await withinTime(reader, callSignal, async (signal) => {
    for await (const frame of readFacts({ client, signal, resolve: resolveSources }, source, query)) {
      if (frame.type === 'facts') facts.push(...frame.facts);
      else if (frame.type !== 'read') troubles.push(frame);
    }
  });
  const failed = troubles.find((trouble) => trouble.type === 'failed');
  if (facts.length === 0 && failed !== undefined) throw failed.error;
  const mattering = troubles.filter(
    (trouble) => trouble.type !== 'failed' || !WITHOUT_PODS.includes(trouble.error.code),
  );
  return { facts, troubles: mattering };
}

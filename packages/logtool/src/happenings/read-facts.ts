import type { KubeClient } from '@logtool/kube/src/client.ts';
import type { ResolveEvent } from '../domain/resolve-event.ts';
import type { Resolve, SourcePlan } from '../resolve/resolve.ts';
import { FactFeed, type FactFrame, type FactQuery } from './fact-feed.ts';
import { areAllPods, namespacesOf } from './scaled-away.ts';

type ResolutionReport = Extract<ResolveEvent, { readonly type: 'notice' | 'failed' }>;

/** A fact frame, or a notice or failure of the resolution. */
export type FactsFrame = FactFrame | ResolutionReport;

/**
 * Reads the facts about what the sources lead to: all that the cluster knows of a time range, in order, and
 * with `follow` also later ones. Sources without pods still have the facts of their workloads. Ends after
 * `read` unless it follows. Throws usage errors of the plan, and the signal's reason.
 */
export async function* readFacts(
  context: { readonly client: KubeClient; readonly signal: AbortSignal; readonly resolve: Resolve },
  plan: SourcePlan,
  query: Omit<FactQuery, 'confinedTo' | 'hasAllPods'>,
): AsyncGenerator<FactsFrame, void, undefined> {
  const { client, resolve } = context;
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  const hasAllPods = areAllPods(plan);
  const feed = new FactFeed<ResolutionReport>(
    { client, signal },
    { ...query, confinedTo: plan.confinedTo, hasAllPods },
  );
  if (hasAllPods) feed.watchOver(namespacesOf(plan, client.cluster.namespace));
  const events = resolve(client, plan, {
    follow: query.follow,
    signal,
    onObject: (found) => feed.see(found),
  });
  const resolving = pump(events, feed);
  // Awaited below: until then a failure must not count as unhandled.
  resolving.catch(() => stop.abort());
  try {
    yield* feed.frames();
    stop.abort();
    await resolving;
    context.signal.throwIfAborted();
  } finally {
    stop.abort();
  }
}

/** Runs the resolution to its end. Its reports precede the facts that were read after them. */
async function pump(events: AsyncIterable<ResolveEvent>, feed: FactFeed<ResolutionReport>): Promise<void> {
  for await (const event of events) {
    if (event.type === 'notice' || event.type === 'failed') feed.pass(event);
    if (event.type === 'synced') feed.synced();
    await feed.room();
  }
}

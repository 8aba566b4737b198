import type { KubeClient } from '@logtool/kube/src/client.ts';
import { resolveSources } from '../../resolve/resolve-sources.ts';
import { scanLogs } from '../../stream/scan/scan-logs.ts';
import type { LogCounts } from '../output/counts/log-counts.ts';
import type { CountPlan } from '../plan/logs/logs-plan.ts';
import type { ReadPlan } from './plan-read.ts';
import { SourceWatch, type Trouble } from './read-page.ts';
import type { McpReader } from './reader.ts';
import { MAX_READ_MS } from './within-time.ts';

export interface CountRead {
  readonly plan: ReadPlan & { readonly count: CountPlan };
  readonly bucketMs: number;
  /** Collects what the scan yields. */
  readonly counts: LogCounts;
}

/** Counts what the engine can read in time. Throws the failure if it concerns all sources. */
export async function readCounts(
  reader: McpReader,
  client: KubeClient,
  { plan, bucketMs, counts }: CountRead,
  signal: AbortSignal,
): Promise<{ readonly troubles: readonly Trouble[]; readonly containers: number }> {
  const sources = new SourceWatch(reader.allowedNamespaces);
  const events = sources.watch(resolveSources(client, plan.source, { follow: false, signal }));
  const frames = scanLogs({ client, clock: reader.clock, signal }, events, {
    range: plan.count.range,
    previous: plan.engine.window.previous,
    filter: plan.engine.filter,
    bucketMs,
    hits: undefined,
    budget: { bytes: Number.POSITIVE_INFINITY, ms: MAX_READ_MS },
    maxLogRequests: plan.engine.maxLogRequests,
  });
  for await (const frame of frames) {
    counts.take(frame);
    if (frame.type === 'gap' || frame.type === 'notice') sources.trouble(frame);
    else if (frame.type === 'source' && (frame.state === 'failed' || frame.state === 'waiting'))
      sources.trouble(frame);
  }
  sources.throwIfNothing();
  return sources;
}

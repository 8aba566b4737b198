import type { FakeClock } from '@logtool/kube/src/values/clock.ts';
import type { ScanFrame } from '@logtool/logtool/src/domain/coverage/scan.ts';
import type { KeptScan } from '@logtool/logtool/src/stream/kept/kept-scans.ts';
import { type ScanPlan, scanLogs } from '@logtool/logtool/src/stream/scan/scan-logs.ts';
import { drive, NO_FILTER } from './collect.ts';
import type { FakeCluster } from './fake-cluster.ts';

export const SCAN_PLAN: ScanPlan = {
  range: { from: undefined, to: undefined },
  previous: 'auto',
  filter: NO_FILTER,
  bucketMs: 1000,
  hits: undefined,
  budget: { bytes: Number.POSITIVE_INFINITY, ms: 3_600_000 },
  maxLogRequests: 10,
};

/** Returns all frames of a scan: of everything, unless the plan restricts it. */
export async function scanFrames(
  { cluster, clock }: { readonly cluster: FakeCluster; readonly clock: FakeClock },
  plan: Partial<ScanPlan>,
  kept?: KeptScan,
): Promise<readonly ScanFrame[]> {
  const frames: ScanFrame[] = [];
  const { signal } = new AbortController();
  const reading = async () => {
    const sources = cluster.sources({ follow: false, signal });
    const context = { client: cluster.client, clock, signal };
    for await (const frame of scanLogs(context, sources, { ...SCAN_PLAN, ...plan }, { kept }))
      frames.push(frame);
  };
  await drive(clock, reading());
  return frames;
}

import type { KubeClient } from '@logtool/kube/src/client.ts';
import type { ScanFrame } from '../../domain/coverage/scan.ts';
import type { Frame } from '../../domain/frame.ts';
import type { Resolve } from '../../resolve/resolve.ts';
import type { ReadLogs } from '../../stream/engine.ts';
import type { scanLogs } from '../../stream/scan/scan-logs.ts';
import type { CliContext } from '../context.ts';
import type { ConnectionPlan } from '../plan/connection-plan.ts';

/** What `logs` needs of the rooms before it; tests put their own in. */
export interface LogsServices {
  /** Counts in place of records; loaded only now too. */
  readonly scan: (
    ...given: Parameters<typeof scanLogs>
  ) => AsyncIterable<ScanFrame> | Promise<AsyncIterable<ScanFrame>>;
  readonly connect: (
    context: CliContext,
    plan: ConnectionPlan,
    options: { readonly debug: boolean },
  ) => Promise<KubeClient>;
  readonly resolve: Resolve;
  /** The engine, which is loaded only now. */
  readonly read: (...given: Parameters<ReadLogs>) => AsyncIterable<Frame> | Promise<AsyncIterable<Frame>>;
}

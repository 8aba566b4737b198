import type { KubeClient } from '@logtool/kube/src/client.ts';
import type { ScanFrame } from '../../domain/coverage/scan.ts';
import type { Frame } from '../../domain/frame.ts';
import type { Resolve } from '../../resolve/resolve.ts';
import type { ReadLogs } from '../../stream/plan/engine.ts';
import type { scanLogs } from '../../stream/scan/scan-logs.ts';
import type { CliContext } from '../context.ts';
import type { ConnectionPlan } from '../plan/connection-plan.ts';

/** What `logs` needs from earlier stages; tests substitute their own. */
export interface LogsServices {
  /** Counts instead of records; loaded on first use, too. */
  readonly scan: (
    ...given: Parameters<typeof scanLogs>
  ) => AsyncIterable<ScanFrame> | Promise<AsyncIterable<ScanFrame>>;
  readonly connect: (
    context: CliContext,
    plan: ConnectionPlan,
    options: { readonly debug: boolean },
  ) => Promise<KubeClient>;
  readonly resolve: Resolve;
  /** The engine, loaded on first use. */
  readonly read: (...given: Parameters<ReadLogs>) => AsyncIterable<Frame> | Promise<AsyncIterable<Frame>>;
}

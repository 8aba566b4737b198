import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { SourcePlan } from '../../../resolve/resolve.ts';
import type { ConnectionPlan } from '../connection-plan.ts';

/** All that `why` was asked to do. */
export interface WhyPlan {
  readonly connection: ConnectionPlan;
  readonly source: SourcePlan;
  readonly query: {
    /** What was over before is left out. */
    readonly from: Timestamp;
  };
  readonly output: {
    readonly format: 'text' | 'json';
    readonly color: 'auto' | 'always' | 'never';
    /** `utc`, `local` or a name of the IANA time zone database. */
    readonly timezone: string;
  };
}

import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { SourcePlan } from '../../../resolve/resolve.ts';
import type { ConnectionPlan } from '../connection-plan.ts';

/** The plan of `why`. */
export interface WhyPlan {
  readonly connection: ConnectionPlan;
  readonly source: SourcePlan;
  readonly query: {
    /** Omits what ended earlier. */
    readonly from: Timestamp;
  };
  readonly output: {
    readonly format: 'text' | 'json';
    readonly color: 'auto' | 'always' | 'never';
    /** `utc`, `local` or a name from the IANA time zone database. */
    readonly timezone: string;
  };
}

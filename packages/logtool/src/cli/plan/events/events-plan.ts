import type { Severity } from '../../../domain/facts/fact.ts';
import type { FactQuery } from '../../../happenings/fact-feed.ts';
import type { SourcePlan } from '../../../resolve/resolve.ts';
import type { ConnectionPlan } from '../connection-plan.ts';

export const EVENT_OUTPUTS = ['text', 'json'] as const;
/** kubectl's names for the types of events. */
export const EVENT_TYPES = ['Normal', 'Warning'] as const;

/** The plan of `events`. */
export interface EventsPlan {
  readonly connection: ConnectionPlan;
  readonly source: SourcePlan;
  readonly query: FactQuery;
  /** Omits facts of other severities. */
  readonly severities: readonly Severity[];
  readonly output: {
    readonly format: (typeof EVENT_OUTPUTS)[number];
    readonly header: boolean;
    readonly color: 'auto' | 'always' | 'never';
    /** `utc`, `local` or a name from the IANA time zone database. */
    readonly timezone: string;
  };
}

import type { KubeClient } from '@logtool/kube/src/client.ts';
import type { FactsQuery } from '../../contract/facts.ts';
import type { LogQuery } from '../../contract/log-query.ts';
import type { FactQuery } from '../../happenings/fact-feed.ts';
import type { SourcePlan } from '../../resolve/resolve.ts';
import { guardQuery } from '../logs/guard-query.ts';
import { planTime } from '../logs/plan-query.ts';
import type { Services } from '../services.ts';

export interface FactsPlan {
  /** FactsQuery.id */
  readonly q: number;
  readonly source: SourcePlan;
  readonly query: FactQuery;
}

/** Restricts a query to the allowed namespaces, and plans it. Throws usage errors and `namespace-not-allowed`. */
export function planFacts(query: FactsQuery, services: Services, client: KubeClient): FactsPlan {
  const { from, to, follow = false, ...sources } = query;
  const window: LogQuery = {
    ...sources,
    follow,
    selection: { kind: 'all' },
    from: from === undefined ? undefined : { kind: 'inclusive', at: from },
    to: to === undefined ? undefined : { kind: 'inclusive', at: to },
  };
  const { source } = guardQuery(window, services, client).plan;
  return {
    q: query.id,
    // Facts about a container that no one reads may explain why another one has no lines.
    source: { ...source, allContainers: true, placement: [] },
    query: {
      follow,
      from: from === undefined ? undefined : planTime(from),
      to: to === undefined ? undefined : planTime(to),
      fold: { clock: services.clock },
    },
  };
}

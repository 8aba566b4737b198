import type { KubeClient } from '@logtool/kube/src/client.ts';
import type { LogQuery } from '../../contract/log-query.ts';
import { isNamespaceAllowed } from '../../domain/access/allowed-namespaces.ts';
import { confinedTo } from '../security/guard-namespaces.ts';
import type { Services } from '../services.ts';
import { planQuery } from './plan-query.ts';
import type { QueryOptions } from './query-run.ts';

export type GuardedQuery = Pick<QueryOptions, 'query' | 'plan' | 'givenBy' | 'isAllowed'>;

/** Restricts a query to the allowed namespaces, and plans it. Throws usage errors and `namespace-not-allowed`. */
export function guardQuery(query: LogQuery, services: Services, client: KubeClient): GuardedQuery {
  const guarded = services.guardNamespaces(query.sources, client.cluster.namespace);
  const givenBy = new Map<string, string[]>();
  for (const { argument, read } of guarded) {
    for (const one of read) givenBy.set(one, [...(givenBy.get(one) ?? []), argument]);
  }
  const { allowedNamespaces } = services.settings;
  return {
    query,
    plan: planQuery({ ...query, sources: [...givenBy.keys()] }, confinedTo(services.settings)),
    givenBy,
    isAllowed: (namespace) => isNamespaceAllowed(allowedNamespaces, namespace),
  };
}

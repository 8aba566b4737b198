import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { NamespaceList } from '../../../contract/cluster.ts';
import { useApp } from '../../app/app-context.ts';
import { useShell } from '../../app/shell-context.ts';
import { EMPTY_LIST, type WorkloadList } from './workload-store.ts';

interface Workloads {
  readonly namespaces: NamespaceList | undefined;
  readonly list: WorkloadList;
  /** Asks the cluster again now. */
  readonly retry: () => void;
}

/** The workloads of a context, live. `chosen`: namespaces of the address. */
export function useWorkloads(context: string | undefined, chosen: readonly string[]): Workloads {
  const { api } = useApp();
  const { feed: feedOf, checkContext } = useShell();
  const { data: namespaces } = useQuery({
    queryKey: ['namespaces', context],
    queryFn: ({ signal }) =>
      api.ask('GET /contexts/{context}/namespaces', { params: { context: context ?? '' }, signal }),
    enabled: context !== undefined,
  });
  const feed = context === undefined ? undefined : feedOf(context, namespacesToAsk(chosen, namespaces));
  const list = useSyncExternalStore(feed?.subscribe ?? none, feed?.list ?? empty);
  const retry = () => {
    if (context !== undefined) checkContext(context);
    feed?.retry();
  };
  return { namespaces, list, retry };
}

/**
 * Only names that the cluster did not list must be requested; else the whole list is here to count and to
 * filter.
 */
function namespacesToAsk(chosen: readonly string[], known: NamespaceList | undefined): readonly string[] {
  if (known === undefined) return [];
  const names = known.namespaces.map(({ name }) => name);
  const typed = chosen.filter((name) => !names.includes(name));
  return typed.length === 0 ? [] : [...names, ...typed];
}

const none = () => () => undefined;
const empty = () => EMPTY_LIST;

import { useQuery } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import type { NamespaceList } from '../../../contract/cluster.ts';
import { useApp } from '../../app/app-context.ts';
import { useShell } from '../../app/shell-context.ts';
import { hiddenNamespaces } from './denied-scopes.ts';
import { forgetNamespace, onOpenedChange, openedNamespaces, rememberNamespace } from './opened-namespaces.ts';
import { EMPTY_LIST, type WorkloadList } from './workload-store.ts';

interface Workloads {
  readonly namespaces: NamespaceList | undefined;
  /** Namespaces that are asked for by name; empty: all. */
  readonly asked: readonly string[];
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
  const opened = useSyncExternalStore(onOpenedChange, () => openedNamespaces(context));
  const asked = namespacesToAsk(chosen, namespaces, opened);
  const feed = context === undefined ? undefined : feedOf(context, asked);
  const list = useSyncExternalStore(feed?.subscribe ?? none, feed?.list ?? empty);
  const retry = () => {
    if (context !== undefined) checkContext(context);
    feed?.retry();
  };
  useRemembered(context, asked, { namespaces, list });
  return { namespaces, asked, list, retry };
}

/** Remembers the namespaces that were opened by name and can be read, and forgets those that cannot. */
function useRemembered(
  context: string | undefined,
  asked: readonly string[],
  { namespaces, list }: Pick<Workloads, 'namespaces' | 'list'>,
): void {
  const { isComplete, denied } = list;
  const text = JSON.stringify(asked);
  useEffect(() => {
    if (context === undefined || !isComplete || namespaces?.partial === undefined) return;
    const known = new Set(namespaces.namespaces.map(({ name }) => name));
    const hidden = new Set(hiddenNamespaces(denied));
    for (const name of JSON.parse(text) as readonly string[]) {
      if (hidden.has(name)) forgetNamespace(context, name);
      else if (!known.has(name)) rememberNamespace(context, name);
    }
  }, [context, text, isComplete, namespaces, denied]);
}

/**
 * Only names that the cluster did not list must be requested, those that were opened before too; else the whole list is
 * here to count and to filter.
 */
function namespacesToAsk(
  chosen: readonly string[],
  known: NamespaceList | undefined,
  opened: readonly string[],
): readonly string[] {
  if (known === undefined) return [];
  const names = known.namespaces.map(({ name }) => name);
  const all = new Set([...(known.partial === undefined ? [] : opened), ...chosen]);
  // In one order, so that the same stream serves them however they came to be asked for.
  const typed = [...all].filter((name) => !names.includes(name)).sort();
  return typed.length === 0 ? [] : [...names, ...typed];
}

const none = () => () => undefined;
const empty = () => EMPTY_LIST;

import { useQuery } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import type { NamespaceList } from '../../contract/cluster.ts';
import { hiddenNamespaces } from '../home/feed/denied-scopes.ts';
import {
  forgetNamespace,
  onOpenedChange,
  openedNamespaces,
  rememberNamespace,
} from '../home/feed/opened-namespaces.ts';
import { EMPTY_LIST, type WorkloadList } from '../home/feed/workload-store.ts';
import { useApp } from './app-context.ts';
import { useShell } from './shell-context.ts';

interface Workloads {
  readonly namespaces: NamespaceList | undefined;
  /** Namespaces requested by name; empty: all. */
  readonly asked: readonly string[];
  readonly list: WorkloadList;
  /** Queries the cluster again now. */
  readonly retry: () => void;
}

/** Returns the live workloads of a context. `chosen`: namespaces in the address. */
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

/** Remembers namespaces that were opened by name and are readable; forgets those that are not. */
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
 * Returns the namespaces to request by name; empty: all. Names are needed only for namespaces that the
 * cluster does not list, whether chosen now or opened before; otherwise the page filters and counts the whole
 * list.
 */
function namespacesToAsk(
  chosen: readonly string[],
  known: NamespaceList | undefined,
  opened: readonly string[],
): readonly string[] {
  if (known === undefined) return [];
  const names = known.namespaces.map(({ name }) => name);
  const all = new Set([...(known.partial === undefined ? [] : opened), ...chosen]);
  // Sorted, so that the same names share one stream.
  const typed = [...all].filter((name) => !names.includes(name)).sort();
  return typed.length === 0 ? [] : [...names, ...typed];
}

const none = () => () => undefined;
const empty = () => EMPTY_LIST;

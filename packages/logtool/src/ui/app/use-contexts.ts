import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { ApiError } from '../../contract/client.ts';
import type { ContextList } from '../../contract/cluster.ts';
import type { WireError } from '../../contract/error.ts';
import { useApp } from '../shell/app-context.ts';

const KEY = ['contexts'];
/**
 * Polling interval while the page is visible. A long poll would occupy one of the six connections that
 * browsers allow, in every tab.
 */
const EVERY_MS = 5_000;

interface Contexts {
  readonly list: ContextList | undefined;
  readonly error: WireError | undefined;
  check(name: string): void;
  reload(): void;
}

/** Polls the contexts of the kubeconfig. */
export function useContexts(): Contexts {
  const { api } = useApp();
  const client = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api.ask('GET /contexts', { signal }),
    refetchInterval: EVERY_MS,
  });

  const check = useCallback(
    (name: string) => {
      api.ask('GET /contexts', { query: { check: name } }).then(
        (list) => client.setQueryData<ContextList>(KEY, (before) => mergeChecked(before, list, name)),
        (failure: unknown) => {
          if (!(failure instanceof ApiError)) throw failure;
        },
      );
    },
    [api, client],
  );
  const reload = useCallback(() => void refetch(), [refetch]);
  return { list: data, error: error instanceof ApiError ? error.error : undefined, check, reload };
}

/** Checks of several contexts run concurrently: each answer updates only the context it checked. */
function mergeChecked(before: ContextList | undefined, after: ContextList, name: string): ContextList {
  if (before === undefined || before.revision !== after.revision) return after;
  const checked = after.contexts.find((context) => context.name === name);
  if (checked === undefined) return before;
  return {
    ...before,
    contexts: before.contexts.map((context) => (context.name === name ? checked : context)),
  };
}

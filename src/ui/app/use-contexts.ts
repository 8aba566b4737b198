import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { ApiError } from '../../contract/client.ts';
import type { ContextList } from '../../contract/cluster.ts';
import type { WireError } from '../../contract/error.ts';
import { useApp } from './app-context.ts';

const KEY = ['contexts'];
/** A server that answers a wait at once must not be asked without end. */
const PAUSE_MS = 1_000;
const PAUSE_AFTER_ERROR_MS = 5_000;

interface Contexts {
  readonly list: ContextList | undefined;
  readonly error: WireError | undefined;
  check(name: string): void;
  reload(): void;
}

/** The contexts of the kubeconfig, asked for again whenever it changes. */
export function useContexts(): Contexts {
  const { api } = useApp();
  const client = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api.ask('contexts', { signal }),
  });
  const hasList = data !== undefined;

  useEffect(() => {
    if (!hasList) return;
    const end = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = async () => {
      const known = client.getQueryData<ContextList>(KEY)?.revision ?? 0;
      let pauseMs = PAUSE_MS;
      try {
        const list = await api.ask('contexts', { query: { wait: `${known}` }, signal: end.signal });
        client.setQueryData(KEY, list);
      } catch (failure) {
        if (end.signal.aborted || !(failure instanceof ApiError)) return;
        // The page says elsewhere that the server does not answer.
        pauseMs = PAUSE_AFTER_ERROR_MS;
      }
      timer = setTimeout(() => void wait(), pauseMs);
    };
    void wait();
    return () => {
      end.abort();
      clearTimeout(timer);
    };
  }, [api, client, hasList]);

  const check = useCallback(
    (name: string) => {
      api.ask('contexts', { query: { check: name } }).then(
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

/** Checks of several contexts run at once: each answer counts for the context that it asked. */
function mergeChecked(before: ContextList | undefined, after: ContextList, name: string): ContextList {
  if (before === undefined || before.revision !== after.revision) return after;
  const checked = after.contexts.find((context) => context.name === name);
  if (checked === undefined) return before;
  return {
    ...before,
    contexts: before.contexts.map((context) => (context.name === name ? checked : context)),
  };
}

import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { Info } from '../../contract/cluster.ts';
import { useApp } from './app-context.ts';

interface InfoState {
  readonly info: Info | undefined;
  /** The version of the server that answers now, if it is not the one that this page came from. */
  readonly newVersion: string | undefined;
  check(): void;
}

/** What the server says of itself, asked for when the page opens and by `check`. */
export function useInfo(): InfoState {
  const { api } = useApp();
  const { data, refetch } = useQuery({
    queryKey: ['info'],
    queryFn: ({ signal }) => api.ask('GET /info', { signal }),
  });
  const [first, setFirst] = useState<string | undefined>();
  if (first === undefined && data !== undefined) setFirst(data.version);
  const check = useCallback(() => void refetch(), [refetch]);
  const newVersion =
    data !== undefined && first !== undefined && data.version !== first ? data.version : undefined;
  return { info: data, newVersion, check };
}

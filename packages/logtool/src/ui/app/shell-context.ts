import { createContext, useContext } from 'react';
import type { ContextList, Info } from '../../contract/cluster.ts';
import type { WireError } from '../../contract/error.ts';
import type { WorkloadFeed } from '../home/feed/workload-feed.ts';

/** What the frame around the pages knows and does. */
export interface Shell {
  readonly info: Info | undefined;
  readonly contexts: ContextList | undefined;
  /** Why they cannot be had. */
  readonly contextsError: WireError | undefined;
  /** Asks a cluster now whether it answers. */
  checkContext(name: string): void;
  /** Reads the list of contexts again. */
  reloadContexts(): void;
  /** The workloads of a context; the same feed for the same arguments, so that a page finds what another one has. */
  feed(context: string, namespaces: readonly string[]): WorkloadFeed;
  openPalette(): void;
  openKeys(): void;
  /** Ends the session (`--auth kubernetes` or `token`). */
  signOut(): void;
  /** The server may have changed: asks for its version. */
  checkVersion(): void;
}

export const ShellContext = createContext<Shell | undefined>(undefined);

/** The frame that this component is in. Throws outside of one. */
export function useShell(): Shell {
  const shell = useContext(ShellContext);
  if (shell === undefined) throw new Error('useShell outside of the shell');
  return shell;
}

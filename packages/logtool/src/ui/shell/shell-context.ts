import { createContext, useContext } from 'react';
import type { ContextList, Info } from '../../contract/cluster.ts';
import type { WireError } from '../../contract/error.ts';
import type { WorkloadFeed } from '../home/feed/workload-feed.ts';

/** What the frame around the pages provides. */
export interface Shell {
  readonly info: Info | undefined;
  readonly contexts: ContextList | undefined;
  /** Why the contexts could not be read. */
  readonly contextsError: WireError | undefined;
  /** Checks now whether a cluster answers. */
  checkContext(name: string): void;
  /** Reads the contexts again. */
  reloadContexts(): void;
  /** Returns the workloads of a context; the same feed for the same arguments, so that pages share it. */
  feed(context: string, namespaces: readonly string[]): WorkloadFeed;
  /** Preloads the page of logs; the pointer or the focus has reached a workload. */
  warmConsole(): void;
  openPalette(): void;
  openKeys(): void;
  /** Ends the session (`--auth kubernetes` or `token`). */
  signOut(): void;
  /** Fetches the server's version, which may have changed. */
  checkVersion(): void;
}

export const ShellContext = createContext<Shell | undefined>(undefined);

/** Returns the frame around this component. Throws outside of one. */
export function useShell(): Shell {
  const shell = useContext(ShellContext);
  if (shell === undefined) throw new Error('useShell outside of the shell');
  return shell;
}

import type { ClusterConnection } from '@logtool/kube/src/connection/cluster-connection.ts';
import type { WireError } from '../../contract/error.ts';

/** A context to choose from. Holds no credential. */
export interface ContextEntry {
  readonly name: string;
  /** Server's URL without user or password; empty if the context's cluster is not defined. */
  readonly server: string;
  readonly namespace: string;
  readonly isCurrent: boolean;
  /** Changes if the context leads to another cluster: open connections stay with the old one. */
  readonly clusterPrint: string;
  /** Changes with the credentials: open connections switch to the new ones. */
  readonly userPrint: string;
}

/** The current source of contexts. */
export interface ContextSource {
  /** Grows with every change of the contexts, or of `error`. */
  readonly revision: number;
  readonly contexts: ReadonlyMap<string, ContextEntry>;
  /** Set if the current file is unreadable; the contexts are then the previous ones. */
  readonly error: WireError | undefined;
  /** Opens a connection. Throws CodedError. With `bearer`, uses that token's user instead of the source's own. */
  open(context: string, bearer: string | undefined): Promise<ClusterConnection>;
  /** Calls back after each change; the returned function unsubscribes. */
  onChange(callback: () => void): () => void;
  close(): void;
}

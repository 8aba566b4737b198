import type { ClusterConnection } from '@logtool/kube/src/connection/cluster-connection.ts';
import type { WireError } from '../../contract/error.ts';

/** One context that can be chosen. Holds no credential. */
export interface ContextEntry {
  readonly name: string;
  /** Server's URL without user or password; empty if the context's cluster is not defined. */
  readonly server: string;
  readonly namespace: string;
  readonly isCurrent: boolean;
  /** Changes when the context leads to another cluster: what is open then stays with the old one. */
  readonly clusterPrint: string;
  /** Changes when the credentials do: what is open then takes the new ones. */
  readonly userPrint: string;
}

/** The present source of contexts. */
export interface ContextSource {
  /** Grows with every change of the contexts, or of `error`. */
  readonly revision: number;
  readonly contexts: ReadonlyMap<string, ContextEntry>;
  /** The present file is unreadable; the contexts are the previous ones. */
  readonly error: WireError | undefined;
  /** Throws CodedError. With `bearer`, uses that token's user instead of the source's own. */
  open(context: string, bearer: string | undefined): Promise<ClusterConnection>;
  /** Calls back after each change; the returned function ends that. */
  onChange(callback: () => void): () => void;
  close(): void;
}

import type { ClusterConnection } from '@logtool/kube/src/connection/cluster-connection.ts';
import type { WireError } from '../../contract/error.ts';

/** One context that can be chosen. Holds no credential. */
export interface ContextEntry {
  readonly name: string;
  /** Server's URL without user or password; empty where the context names no cluster that is there. */
  readonly server: string;
  readonly namespace: string;
  readonly isCurrent: boolean;
  /** Changes when the context leads to another cluster: what is open then stays with the old one. */
  readonly clusterPrint: string;
  /** Changes when the credentials do: what is open then takes the new ones. */
  readonly userPrint: string;
}

/** Where contexts come from, as they are now. */
export interface ContextSource {
  /** Grows with every change of the contexts, or of `error`. */
  readonly revision: number;
  readonly contexts: ReadonlyMap<string, ContextEntry>;
  /** What is there now cannot be read; the contexts are those of before. */
  readonly error: WireError | undefined;
  /** Throws LogtoolError. With `bearer`, as whoever has that token instead of as the source's own user. */
  open(context: string, bearer: string | undefined): Promise<ClusterConnection>;
  /** Calls back after each change; the returned function ends that. */
  onChange(callback: () => void): () => void;
  close(): void;
}

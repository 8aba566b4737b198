import type { KubeClient, KubeObject, ResourceType } from '@logtool/kube/src/client.ts';
import type { NodeColumn } from '../domain/columns.ts';
import type { ContainerKind, ContainerState } from '../domain/container.ts';
import type { ResolveEvent } from '../domain/resolve-event.ts';

/** What `logs` should read, checked and complete. */
export interface SourcePlan {
  /** The arguments as typed: `[namespace:]<resource>[/name[/container]]` (domain/source-syntax.ts). */
  readonly sources: readonly string[];
  /** Namespaces of sources that name none. Empty: the namespace of the context. */
  readonly namespaces?: readonly string[] | undefined;
  /** Search all namespaces for sources that name none. */
  readonly allNamespaces?: boolean | undefined;
  /**
   * The only namespaces that the reader may learn about (`--allowed-namespaces`). Kinds outside namespaces then do not
   * exist, and errors name only objects of the kinds that the page lists (explain/explain-empty.ts).
   */
  readonly confinedTo?: readonly string[] | undefined;
  readonly selector?: string | undefined;
  /** Selects pods by their fields, in the server's syntax: `status.phase=Running`. */
  readonly fieldSelector?: string | undefined;
  readonly allContainers: boolean;
  /**
   * Globs. Keeps only containers with a matching name among those that a source selects. If the source names none,
   * containers of any kind count.
   */
  readonly containers?: readonly string[] | undefined;
  /** Globs of containers and of pods to leave out. */
  readonly excludeContainers?: readonly string[] | undefined;
  readonly excludePods?: readonly string[] | undefined;
  /** Kinds of containers to leave out. */
  readonly excludeKinds?: readonly ContainerKind[] | undefined;
  /** Only containers in one of these states. Once shown, a container stays when its state changes. */
  readonly containerStates?: readonly ContainerState['kind'][] | undefined;
  readonly nodes: readonly string[];
  readonly regions: readonly string[];
  readonly zones: readonly string[];
  readonly os: readonly string[];
  readonly arch: readonly string[];
  /**
   * The placement that the caller needs for each container (columns). Nodes are read only then, or when one of the
   * filters above needs them. If they may not be read, region and zone come from the pod's own labels, and a notice
   * names the pods with unknown values.
   */
  readonly placement?: readonly NodeColumn[] | undefined;
}

/** An object that a source leads to, as last read. */
export interface FoundObject {
  readonly type: ResourceType;
  readonly object: KubeObject;
  /** The object was deleted (or no longer matches), and this was its last state. */
  readonly isGone: boolean;
}

/**
 * Turns source arguments into a live set of containers without duplicates. Without `follow`, ends after `synced`. With
 * it, continues until the signal is aborted.
 */
export type Resolve = (
  client: KubeClient,
  plan: SourcePlan,
  options: {
    readonly follow: boolean;
    readonly signal: AbortSignal;
    /**
     * Reports which source arguments, as typed, select a container (ContainerTarget.id). Called before its `added` and
     * again at every change. No argument selects a removed container.
     */
    readonly onClaims?: (id: string, given: readonly string[]) => void;
    /**
     * Reports the objects that sources lead to, each time they are read or change: the pods that are kept, and the
     * objects that the sources name. The requests stay the same, but more of each object is kept (slimPodWithHistory).
     */
    readonly onObject?: ((found: FoundObject) => void) | undefined;
  },
) => AsyncIterable<ResolveEvent>;

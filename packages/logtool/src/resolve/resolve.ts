import type { KubeClient, KubeObject, ResourceType } from '@logtool/kube/src/client.ts';
import type { NodeColumn } from '../domain/columns.ts';
import type { ContainerKind, ContainerState } from '../domain/container.ts';
import type { SourceEvent } from '../domain/source-event.ts';

/** What `logs` was asked to read, checked and complete. */
export interface SourcePlan {
  /** The arguments as typed: `[namespace:]<resource>[/name[/container]]` (domain/source-syntax.ts). */
  readonly sources: readonly string[];
  /** Namespaces of sources that name none; empty: the namespace of the context. */
  readonly namespaces?: readonly string[] | undefined;
  /** Sources that name no namespace are searched in all. */
  readonly allNamespaces?: boolean | undefined;
  /**
   * The only namespaces that the reader may learn of (`--allowed-namespaces`). Kinds outside namespaces then do not
   * exist, and errors name objects only of the kinds that the page lists (explain/explain-empty.ts).
   */
  readonly confinedTo?: readonly string[] | undefined;
  readonly selector?: string | undefined;
  /** Selects pods by their fields, as the server reads it: `status.phase=Running`. */
  readonly fieldSelector?: string | undefined;
  readonly allContainers: boolean;
  /** Globs: of the containers that a source means only those of such a name; any kind if the source names none. */
  readonly containers?: readonly string[] | undefined;
  /** Globs of containers and of pods that are left out. */
  readonly excludeContainers?: readonly string[] | undefined;
  readonly excludePods?: readonly string[] | undefined;
  /** Kinds of containers that are left out. */
  readonly excludeKinds?: readonly ContainerKind[] | undefined;
  /** Only containers in one of these states; one that was shown stays when its state changes. */
  readonly containerStates?: readonly ContainerState['kind'][] | undefined;
  readonly nodes: readonly string[];
  readonly regions: readonly string[];
  readonly zones: readonly string[];
  readonly os: readonly string[];
  readonly arch: readonly string[];
  /**
   * The placement that the caller needs for each container (columns). Nodes are read only then, or when one
   * of the filters above needs them. If they may not be read, region and zone come from the pod's own labels;
   * a notice names the pods with unknown values.
   */
  readonly placement?: readonly NodeColumn[] | undefined;
}

/** An object that a source leads to, as it was last read. */
export interface FoundObject {
  readonly type: ResourceType;
  readonly object: KubeObject;
  /** The object was deleted (or does not match any more): this was its last state. */
  readonly isGone: boolean;
}

/**
 * From source arguments to a live, de-duplicated set of containers. Without `follow` it ends after `synced`;
 * with it, it continues until the signal is aborted.
 */
export type Resolve = (
  client: KubeClient,
  plan: SourcePlan,
  options: {
    readonly follow: boolean;
    readonly signal: AbortSignal;
    /**
     * Reports to which source arguments a container (ContainerTarget.id) belongs, as typed, before its
     * `added` and again whenever that changes. A removed container belongs to none.
     */
    readonly onClaims?: (id: string, given: readonly string[]) => void;
    /**
     * Reports the objects that sources lead to, each time that they are read or change: the pods that are kept, and
     * what the sources name. The requests are the same; more of each object is kept (slimPodWithHistory).
     */
    readonly onObject?: ((found: FoundObject) => void) | undefined;
  },
) => AsyncIterable<SourceEvent>;

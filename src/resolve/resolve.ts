import type { SourceEvent } from '../domain/source-event.ts';
import type { KubeClient } from '../kube/client.ts';
import type { NodeField } from './placement-wishes.ts';

/** What `logs` was asked to read, checked and complete. */
export interface SourcePlan {
  /** The arguments as typed: `[namespace:]<resource>[/name[/container]]` (domain/source-syntax.ts). */
  readonly sources: readonly string[];
  readonly namespace?: string | undefined;
  readonly selector?: string | undefined;
  readonly allContainers: boolean;
  readonly nodes: readonly string[];
  readonly regions: readonly string[];
  readonly zones: readonly string[];
  readonly os: readonly string[];
  readonly arch: readonly string[];
  /**
   * What of it someone looks at for each container (columns). Nodes are read only then, or when one of the filters
   * above needs them. Where they may not be read, region and zone come from the pod's own labels; a notice says of
   * which pods something is unknown.
   */
  readonly placement?: readonly NodeField[] | undefined;
}

/**
 * From source arguments to a live, de-duplicated set of containers. Without `follow` it ends after `synced`;
 * with it, it goes on until the signal is aborted.
 */
export type Resolve = (
  client: KubeClient,
  plan: SourcePlan,
  options: {
    readonly follow: boolean;
    readonly signal: AbortSignal;
    /**
     * Told to which source arguments a container (ContainerTarget.id) belongs, as typed, before its `added` and again
     * whenever that changes. A container that is gone belongs to none.
     */
    readonly onClaims?: (id: string, given: readonly string[]) => void;
  },
) => AsyncIterable<SourceEvent>;

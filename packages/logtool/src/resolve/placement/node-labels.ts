import { NODES } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeClient } from '@logtool/kube/src/client.ts';
import { isKubeError, type KubeError } from '@logtool/kube/src/errors.ts';
import type { Placement } from '../../domain/container.ts';
import { readLabels } from '../pods/pod-facts.ts';

/** Above this number of unknown nodes, reads them with one list, and otherwise one by one. */
const LIST_ABOVE = 5;

/**
 * Node labels that give the placement, newer names before older ones.
 * https://kubernetes.io/docs/reference/labels-annotations-taints/
 */
const LABELS = {
  region: ['topology.kubernetes.io/region', 'failure-domain.beta.kubernetes.io/region'],
  zone: ['topology.kubernetes.io/zone', 'failure-domain.beta.kubernetes.io/zone'],
  os: ['kubernetes.io/os', 'beta.kubernetes.io/os'],
  arch: ['kubernetes.io/arch', 'beta.kubernetes.io/arch'],
} as const;

type NodePlacement = Omit<Placement, 'node'>;

/** Holds the labels of the nodes that pods run on. Asks for each node once, and only when a caller needs it. */
export class NodeLabels {
  readonly #client: KubeClient;
  readonly #signal: AbortSignal;
  readonly #known = new Map<string, NodePlacement>();
  #refusal: KubeError | undefined;
  #mayList = true;

  constructor(client: KubeClient, signal: AbortSignal) {
    this.#client = client;
    this.#signal = signal;
  }

  /** The reason why nodes cannot be read: a 403, once one has occurred. */
  get refusal(): KubeError | undefined {
    return this.#refusal;
  }

  /** Reads many nodes with as few requests as possible. */
  async learn(names: Iterable<string>): Promise<void> {
    const unknown = [...new Set(names)].filter((name) => !this.#known.has(name));
    if (unknown.length <= LIST_ABOVE || !this.#mayList || this.#refusal !== undefined) return;
    try {
      for await (const page of this.#client.list(NODES, { metadataOnly: true }, { signal: this.#signal })) {
        for (const { metadata } of page.items) this.#known.set(metadata.name, readPlacement(metadata.labels));
      }
    } catch (error) {
      // Without permission to list, get may be allowed: read the nodes one by one.
      if (!isKubeError(error, 'forbidden')) throw error;
      this.#mayList = false;
    }
  }

  /**
   * Returns the placement from the labels of a node. Empty for a node that is gone or may not be read (see `refusal`).
   */
  async of(name: string): Promise<NodePlacement> {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    if (this.#refusal !== undefined) return {};
    try {
      const { metadata } = await this.#client.getMetadata(NODES, { name }, { signal: this.#signal });
      const placement = readPlacement(metadata.labels);
      this.#known.set(name, placement);
      return placement;
    } catch (error) {
      if (isKubeError(error, 'forbidden')) this.#refusal = error;
      else if (!isKubeError(error, 'not-found')) throw error;
      return {};
    }
  }
}

/**
 * Reads the placement from the labels of a node, or of a pod (since 1.35 the API server copies region and zone onto
 * pods).
 */
export function readPlacement(labels: unknown): NodePlacement {
  const map = labels instanceof Map ? (labels as ReadonlyMap<string, string>) : readLabels(labels);
  const first = (names: readonly string[]) =>
    names.map((name) => map.get(name)).find((value) => value !== undefined && value !== '');
  return {
    region: first(LABELS.region),
    zone: first(LABELS.zone),
    os: first(LABELS.os),
    arch: first(LABELS.arch),
  };
}

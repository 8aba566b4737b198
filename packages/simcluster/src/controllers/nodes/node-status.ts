import type { StoredObject } from '../../store/store.ts';
import type { Cluster } from '../cluster.ts';
import { recordEvent } from '../event-recorder.ts';
import { timeText } from '../objects.ts';

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
  readonly timeAdded?: string;
}

export interface NodeCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** Sets a condition of a node; returns false if its status was the same. */
export function setNodeCondition(cluster: Cluster, name: string, condition: NodeCondition): boolean {
  let isChanged = false;
  cluster.store.update('nodes', undefined, name, (node) => {
    const { conditions = [] } = (node.status ?? {}) as { conditions?: Record<string, unknown>[] };
    const known = conditions.find(({ type }) => type === condition.type);
    if (known === undefined || known.status === condition.status) return false;
    isChanged = true;
    Object.assign(known, condition, { lastTransitionTime: timeText(cluster.clock.now()) });
    return undefined;
  });
  return isChanged;
}

export function taintsOf(node: StoredObject): readonly Taint[] {
  return ((node.spec as { taints?: readonly Taint[] } | undefined)?.taints ?? []) as readonly Taint[];
}

/** Adds taints with one key to a node, or removes all with that key. */
export function setTaints(cluster: Cluster, name: string, key: string, effects: readonly string[]): void {
  const timeAdded = timeText(cluster.clock.now());
  cluster.store.update('nodes', undefined, name, (node) => {
    const others = taintsOf(node).filter((taint) => taint.key !== key);
    const taints = [...others, ...effects.map((effect) => ({ key, effect, timeAdded }))];
    if (taints.length === taintsOf(node).length && effects.length > 0) return false;
    const { taints: _before, ...spec } = node.spec ?? {};
    node.spec = taints.length === 0 ? spec : { ...spec, taints };
    return undefined;
  });
}

/** Records `Node NAME status is now: REASON`, as controllers and kubelets do when a node changes. */
export function nodeStatusEvent(
  cluster: Cluster,
  node: StoredObject,
  reason: string,
  component: string,
): void {
  const { name } = node.metadata;
  const message = `Node ${name} status is now: ${reason}`;
  recordEvent(cluster, node, { type: 'Normal', reason, message, component, host: hostOf(component, name) });
}

/** Records an event of a node's kubelet about the node. */
export function kubeletEvent(
  cluster: Cluster,
  node: StoredObject,
  [type, reason, message]: readonly ['Normal' | 'Warning', string, string],
): void {
  recordEvent(cluster, node, { type, reason, message, component: 'kubelet', host: node.metadata.name });
}

function hostOf(component: string, node: string): string | undefined {
  return component === 'kubelet' ? node : undefined;
}

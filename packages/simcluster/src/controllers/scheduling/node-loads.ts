import type { Store, StoredObject } from '../../store/store.ts';
import { podSpec, podStatus } from '../objects.ts';
import { type Requests, requestsOf } from './quantity.ts';

/** How many pods each node has, updated with every change of a pod. Finished pods do not count. */
export interface NodeLoads {
  pods(node: string): number;
  /** Returns the total requests of these pods. */
  requests(node: string): Requests;
  /** Returns the number of one owner's pods, by node. */
  siblings(ownerUid: string | undefined): ReadonlyMap<string, number>;
}

export function trackNodeLoads(store: Store): NodeLoads {
  const all = new Map<string, number>();
  const asked = new Map<string, Requests>();
  const byOwner = new Map<string, Map<string, number>>();
  const count = (pod: StoredObject, step: 1 | -1): void => {
    const { nodeName } = podSpec(pod);
    if (nodeName === undefined) return;
    const owner = ownerOf(pod);
    if (owner !== undefined) {
      const siblings = byOwner.get(owner) ?? new Map<string, number>();
      add(siblings, nodeName, step);
      if (siblings.size === 0) byOwner.delete(owner);
      else byOwner.set(owner, siblings);
    }
    const { phase } = podStatus(pod);
    if (phase === 'Succeeded' || phase === 'Failed') return;
    add(all, nodeName, step);
    const { cpu, memory } = requestsOf(podSpec(pod));
    if (cpu === 0 && memory === 0) return;
    const before = asked.get(nodeName) ?? NO_REQUESTS;
    asked.set(nodeName, { cpu: before.cpu + step * cpu, memory: before.memory + step * memory });
  };
  store.subscribe('pods', ({ type, object, before }) => {
    if (before !== undefined) count(before, -1);
    if (type !== 'DELETED') count(object, 1);
  });
  return {
    pods: (node) => all.get(node) ?? 0,
    requests: (node) => asked.get(node) ?? NO_REQUESTS,
    siblings: (ownerUid) => (ownerUid === undefined ? NONE : (byOwner.get(ownerUid) ?? NONE)),
  };
}

const NO_REQUESTS: Requests = { cpu: 0, memory: 0 };
const NONE: ReadonlyMap<string, number> = new Map();

export function ownerOf(pod: StoredObject): string | undefined {
  return pod.metadata.ownerReferences?.[0]?.uid;
}

function add(counts: Map<string, number>, key: string, step: number): void {
  const count = (counts.get(key) ?? 0) + step;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}

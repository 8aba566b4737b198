import type { StoredObject } from '../store.ts';

/** What the scheduler asks of a node; read once for each state of the object. */
export interface NodeFacts {
  readonly unschedulable: boolean;
  readonly ready: boolean;
  /** How many pods fit. */
  readonly room: number;
}

const DEFAULT_ROOM = 110;
const known = new WeakMap<StoredObject, NodeFacts>();

export function factsOf(node: StoredObject): NodeFacts {
  const read = known.get(node);
  if (read !== undefined) return read;
  const { unschedulable } = (node.spec ?? {}) as { unschedulable?: boolean };
  const { allocatable, conditions } = (node.status ?? {}) as {
    allocatable?: { pods?: string };
    conditions?: { type: string; status: string }[];
  };
  const facts = {
    unschedulable: unschedulable === true,
    ready: conditions?.some((c) => c.type === 'Ready' && c.status === 'True') === true,
    room: Number(allocatable?.pods ?? DEFAULT_ROOM),
  };
  known.set(node, facts);
  return facts;
}

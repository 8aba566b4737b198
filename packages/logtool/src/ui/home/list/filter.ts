import type { Workload, WorkloadKind } from '../../../contract/workload.ts';
import { WORKLOAD_KINDS } from '../../../contract/workload-kinds.ts';
import { matches, searchTerms } from './search.ts';

export interface HomeFilter {
  readonly ns: readonly string[];
  readonly kind: WorkloadKind | undefined;
  readonly q: string;
}

/**
 * Returns the rows that a filter shows. Without a kind these are workloads and standalone pods. A pod that
 * belongs to a workload appears only if the search names the pod and not its workload: a pasted pod name
 * finds its pod, but `web` does not show `web` and each of its pods.
 */
export function filterWorkloads(all: Iterable<Workload>, filter: HomeFilter): readonly Workload[] {
  const terms = searchTerms(filter.q);
  const namespaces = new Set(filter.ns);
  const found = [...all].filter(
    (workload) =>
      (namespaces.size === 0 || namespaces.has(workload.namespace)) &&
      (filter.kind === undefined || workload.kind === filter.kind) &&
      matches(workload, terms),
  );
  if (filter.kind !== undefined) return found;
  const listed = found.filter(({ ownerId }) => ownerId === undefined);
  if (terms.length === 0) return listed;
  const ids = new Set(listed.map(({ id }) => id));
  return [...listed, ...found.filter(({ ownerId }) => ownerId !== undefined && !ids.has(ownerId))];
}

export interface Counts {
  /** Rows of every namespace, without pods that belong to a workload. */
  readonly total: number;
  /** Rows of the list if no kind is chosen. */
  readonly all: number;
  readonly kinds: Readonly<Record<WorkloadKind, number>>;
  /** Rows of kinds that only a newer server knows, by kind. */
  readonly newerKinds: ReadonlyMap<string, number>;
  readonly namespaces: ReadonlyMap<string, number>;
}

/** Counts the rows of each kind in the chosen namespaces, and of each namespace for the chosen kind. */
export function countWorkloads(all: Iterable<Workload>, filter: HomeFilter): Counts {
  const byKind = new Map<string, number>();
  const namespaces = new Map<string, number>();
  const chosen = new Set(filter.ns);
  let count = 0;
  let total = 0;
  for (const workload of all) {
    const isListed = workload.ownerId === undefined;
    if (isListed) total++;
    if (chosen.size === 0 || chosen.has(workload.namespace)) {
      addOne(byKind, workload.kind);
      if (isListed) count++;
    }
    if (filter.kind === undefined ? isListed : workload.kind === filter.kind)
      addOne(namespaces, workload.namespace);
  }
  const known = WORKLOAD_KINDS.map((kind) => [kind, byKind.get(kind) ?? 0] as const);
  const kinds = Object.fromEntries(known) as Record<WorkloadKind, number>;
  const newerKinds = new Map([...byKind].filter(([kind]) => !Object.hasOwn(kinds, kind)));
  return { total, all: count, kinds, newerKinds, namespaces };
}

function addOne(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

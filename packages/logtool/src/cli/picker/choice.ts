import { compareNatural } from '../../messages/natural-order.ts';
import type { WorkloadTable } from '../../server/workloads/workload-table.ts';

/** A workload or pod with its state. */
export type Row = WorkloadTable['rows'] extends Iterable<infer R> ? R : never;

/** A workload or pod that the picker offers. */
export interface Choice {
  /**
   * As a source argument: `deployments/web`, or `shop:deployments/web` if the list covers several namespaces.
   */
  readonly source: string;
  /** The state to show: `3/3`, `1/2 CrashLoopBackOff, 14 restarts`. */
  readonly state: string;
  readonly isFailing: boolean;
}

/** Converts a row of the workload table to a choice. */
export function choiceOf(row: Row, withNamespace: boolean): Choice {
  const prefix = withNamespace ? `${row.namespace}:` : '';
  return { source: `${prefix}${row.kind}/${row.name}`, state: stateOf(row), isFailing: row.isFailing };
}

/** Formats `3/3`, `1/2 CrashLoopBackOff, 14 restarts`. */
export function stateOf({ podsReady, podsTotal, status, restarts, kind }: Row): string {
  const ready = kind === 'pods' ? undefined : `${podsReady}/${podsTotal}`;
  const state = status ?? (kind === 'pods' ? 'Running' : undefined);
  const counted = restarts === 0 ? undefined : `${restarts} ${restarts === 1 ? 'restart' : 'restarts'}`;
  const name = [ready, state].filter((field) => field !== undefined).join(' ');
  return counted === undefined ? name : `${name}, ${counted}`;
}

/**
 * Sorts workloads before pods, failing ones first in each, then by name: someone on call wants the broken
 * ones.
 */
export function sortRows(rows: readonly Row[]): readonly Row[] {
  const rank = (row: Row) => (row.kind === 'pods' ? 2 : 0) + (row.isFailing ? 0 : 1);
  return rows.toSorted(
    (a, b) =>
      rank(a) - rank(b) ||
      compareNatural(a.namespace, b.namespace) ||
      compareNatural(a.kind, b.kind) ||
      compareNatural(a.name, b.name),
  );
}

/** Whether each typed word is part of the choice, ignoring case. */
export function matchesTyped(typed: string, { source, state }: Choice): boolean {
  const text = `${source} ${state}`.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((term) => text.includes(term));
}

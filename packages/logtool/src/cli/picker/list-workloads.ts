import type { KubeClient } from '@logtool/kube/src/client.ts';
import { describeKubeError } from '@logtool/kube/src/failure/describe.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { LastEvents } from '../../server/workloads/last-events.ts';
import { ObjectIntake } from '../../server/workloads/object-intake.ts';
import { type Kind, TYPES } from '../../server/workloads/watched-kinds.ts';
import { WorkloadTable } from '../../server/workloads/workload-table.ts';
import { type Row, sortRows } from './choice.ts';

/** Maximum objects to read of one kind; more than a user reads. */
export const MAX_OBJECTS = 10_000;

export interface WorkloadQuery {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Namespaces to list; undefined means all. */
  readonly namespaces: readonly string[] | undefined;
  /** Adds the last events to rows, which needs one more list. */
  readonly withEvents?: boolean;
}

/** Workloads and pods with their states, and what the list omits. */
export interface ListedWorkloads {
  /** In the order of `sortRows`. */
  readonly rows: readonly Row[];
  /** Kinds that could not be listed, and why. */
  readonly failures: ReadonlyMap<Kind, CodedError>;
  /** Kinds with more objects than the limit, and how many were read. */
  readonly cut: readonly { readonly kind: Kind; readonly count: number }[];
}

/**
 * Lists workloads and pods with their states, as on the home page of the dashboard.
 * @throws CodedError if nothing could be listed
 */
export async function listWorkloads(client: KubeClient, query: WorkloadQuery): Promise<ListedWorkloads> {
  const kinds = TYPES.filter(([kind]) => kind !== 'events' || query.withEvents === true);
  const failures = new Map<Kind, CodedError>();
  const cut: { kind: Kind; count: number }[] = [];
  const events = new LastEvents();
  const table = new WorkloadTable(
    events,
    () => query.clock.now(),
    (kind) => failures.has(kind),
  );
  const intake = new ObjectIntake(table, events);
  const lists = kinds.flatMap(([kind, type]) =>
    (query.namespaces ?? [undefined]).map((namespace) => ({ kind, type, namespace })),
  );
  await Promise.all(
    lists.map(async ({ kind, type, namespace }) => {
      let count = 0;
      try {
        for await (const { items } of client.list(type, { namespace }, { signal: query.signal })) {
          for (const object of items) intake.take(kind, namespace, { type: 'changed', object });
          count += items.length;
          if (count < MAX_OBJECTS) continue;
          cut.push({ kind, count });
          return;
        }
      } catch (error) {
        query.signal.throwIfAborted();
        failures.set(kind, describeKubeError(error, client.cluster));
      }
    }),
  );
  const [failure] = failures.values();
  if (failure !== undefined && failures.size === kinds.length) throw failure;
  table.setPodsKnown();
  table.touchAll();
  table.takeChanges();
  return { rows: sortRows([...table.rows]), failures, cut };
}

import type { KubeClient } from '@logtool/kube/src/client.ts';
import { describeKubeError } from '@logtool/kube/src/failure/describe.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { LastEvents } from '../../server/workloads/last-events.ts';
import { ObjectIntake } from '../../server/workloads/object-intake.ts';
import { type Kind, TYPES } from '../../server/workloads/watched-kinds.ts';
import { WorkloadTable } from '../../server/workloads/workload-table.ts';
import { withMessage } from '../messages/errors.ts';
import { type Choice, choiceOf, sortRows } from './choice.ts';

/** Objects to read of one kind; more than a user reads. */
export const MAX_OBJECTS = 10_000;

export interface Choices {
  readonly choices: readonly Choice[];
  /** What the list leaves out, and why: kinds that could not be listed, kinds with more objects than are read. */
  readonly notices: readonly string[];
}

export interface ChoiceQuery {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Namespaces to list; undefined: all. */
  readonly namespaces: readonly string[] | undefined;
}

/**
 * Workloads and pods with their states, as the home page of the dashboard has them. A kind that cannot be listed is a
 * notice.
 * @throws CodedError when nothing could be listed at all
 */
export async function listChoices(client: KubeClient, query: ChoiceQuery): Promise<Choices> {
  const kinds = TYPES.filter(([kind]) => kind !== 'events');
  const failures = new Map<Kind, CodedError>();
  const notices: string[] = [];
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
          notices.push(`only the first ${count} ${kind} were read`);
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
  for (const [kind, error] of failures)
    notices.push(`${kind} are not listed: ${(await withMessage(error)).what}`);
  table.setPodsKnown();
  table.touchAll();
  table.takeChanges();
  const withNamespace = query.namespaces?.length !== 1;
  return { choices: sortRows([...table.rows]).map((row) => choiceOf(row, withNamespace)), notices };
}

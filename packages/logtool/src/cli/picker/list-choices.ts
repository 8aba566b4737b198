import type { KubeClient } from '@logtool/kube/src/client.ts';
import { withMessage } from '../messages/errors.ts';
import { type Choice, choiceOf } from './choice.ts';
import { listWorkloads, type WorkloadQuery } from './list-workloads.ts';

export interface Choices {
  readonly choices: readonly Choice[];
  /**
   * What the list omits, and why: kinds that cannot be listed, and kinds with more objects than the limit.
   */
  readonly notices: readonly string[];
}

/**
 * Lists workloads and pods to choose from. A kind that cannot be listed becomes a notice.
 * @throws CodedError if nothing could be listed
 */
export async function listChoices(client: KubeClient, query: WorkloadQuery): Promise<Choices> {
  const { rows, failures, cut } = await listWorkloads(client, query);
  const notices = cut.map(({ kind, count }) => `logtool read only the first ${count} ${kind}`);
  for (const [kind, error] of failures)
    notices.push(`logtool could not list ${kind}: ${(await withMessage(error)).what}`);
  const withNamespace = query.namespaces?.length !== 1;
  return { choices: rows.map((row) => choiceOf(row, withNamespace)), notices };
}

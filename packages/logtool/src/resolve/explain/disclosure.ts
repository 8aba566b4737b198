import {
  CRON_JOBS,
  DAEMON_SETS,
  DEPLOYMENTS,
  JOBS,
  PODS,
  REPLICA_SETS,
  STATEFUL_SETS,
} from '@logtool/kube/src/builtin-resources.ts';
import type { ResourceType } from '@logtool/kube/src/client.ts';
import type { SourcePlan } from '../resolve.ts';
import { isType } from '../track/roots.ts';

/** The kinds whose objects the page lists anyway: their names are no secret inside an allowed namespace. */
const LISTED = [PODS, DEPLOYMENTS, REPLICA_SETS, STATEFUL_SETS, DAEMON_SETS, JOBS, CRON_JOBS];

/**
 * Whether an error may reveal which objects of a kind exist, and how many. A confined reader could otherwise
 * ask for `secrets/nope` to learn the names of all Secrets.
 */
export function mayDisclose({ confinedTo }: Pick<SourcePlan, 'confinedTo'>, type: ResourceType): boolean {
  return confinedTo === undefined || LISTED.some((listed) => isType(listed, type));
}

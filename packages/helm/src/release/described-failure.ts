import type { KubeClient } from '@logtool/kube/src/client.ts';
import { KubeError } from '@logtool/kube/src/errors.ts';
import { describeKubeError } from '@logtool/kube/src/failure/describe.ts';
import type { Failure } from '../failures.ts';

/** Converts a thrown value for the data of another error; adds the cluster's name to cluster errors. */
export function describedFailure({ cluster }: Pick<KubeClient, 'cluster'>, failure: unknown): Failure {
  if (failure instanceof KubeError) return describeKubeError(failure, cluster);
  return failure instanceof Error ? failure : new Error(String(failure));
}

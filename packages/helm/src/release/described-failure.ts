import type { KubeClient } from '@logtool/kube/src/client.ts';
import { KubeError } from '@logtool/kube/src/errors.ts';
import { describeKubeError } from '@logtool/kube/src/failure/describe.ts';
import type { Failure } from '../failures.ts';

/** What was thrown, as another error has it in its data: what the cluster answered with the cluster's name. */
export function describedFailure({ cluster }: Pick<KubeClient, 'cluster'>, failure: unknown): Failure {
  if (failure instanceof KubeError) return describeKubeError(failure, cluster);
  return failure instanceof Error ? failure : new Error(String(failure));
}

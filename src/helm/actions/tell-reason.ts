import { LogtoolError } from '../../domain/errors.ts';
import type { KubeClient } from '../../kube/client.ts';
import { KubeError } from '../../kube/errors.ts';
import { describeKubeError } from '../../kube/failure/describe.ts';

/** What failed and why, a line each, for another error that tells of it. */
export function tellReason({ cluster }: Pick<KubeClient, 'cluster'>, failure: unknown): string {
  const told = failure instanceof KubeError ? describeKubeError(failure, cluster) : failure;
  if (!(told instanceof LogtoolError)) return told instanceof Error ? told.message : String(told);
  return told.why === undefined ? told.what : `${told.what}\n${told.why}`;
}

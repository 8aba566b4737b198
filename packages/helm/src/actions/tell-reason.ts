import type { KubeClient } from '@logtool/kube/src/client.ts';
import { KubeError } from '@logtool/kube/src/errors.ts';
import { describeKubeError } from '@logtool/kube/src/failure/describe.ts';
import { LogtoolError } from '@logtool/kube/src/values/errors.ts';

/** What failed and why, a line each, for another error that tells of it. */
export function tellReason({ cluster }: Pick<KubeClient, 'cluster'>, failure: unknown): string {
  const told = failure instanceof KubeError ? describeKubeError(failure, cluster) : failure;
  if (!(told instanceof LogtoolError)) return told instanceof Error ? told.message : String(told);
  return told.why === undefined ? told.what : `${told.what}\n${told.why}`;
}

import type { KubeError } from '../errors.ts';
import { CodedError } from '../values/coded-error.ts';
import type { MissingApi } from '../values/failures.ts';
import type { ClusterName } from './cluster-name.ts';

/**
 * The server serves nothing at the path that was asked for: its address has a path of another cluster (of Rancher,
 * say), or the kind is gone. Nothing is known of the object itself.
 */
export function describeWrongPath(error: KubeError, { server, context }: ClusterName): CodedError {
  const { message, status = '', request, problem } = error;
  const why = problem ?? (message.includes(`${status}`) ? message : `${message} (${status})`);
  const data: MissingApi = { missing: 'api', request, server, context, why };
  return new CodedError(error.kind, data, { cause: error });
}

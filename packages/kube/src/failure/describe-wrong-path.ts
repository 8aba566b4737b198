import type { KubeError } from '../errors.ts';
import { CodedError } from '../values/coded-error.ts';
import type { MissingApi } from '../values/failures.ts';
import type { ClusterName } from './cluster-name.ts';

/**
 * Describes a 404 for a path that the server does not serve: its address has the path of another cluster (for example
 * of Rancher), or the kind was removed. It says nothing about the object itself.
 */
export function describeWrongPath(error: KubeError, { server, context }: ClusterName): CodedError {
  const { message, status = '', request, problem } = error;
  const why = problem ?? (message.includes(`${status}`) ? message : `${message} (${status})`);
  const data: MissingApi = { missing: 'api', request, server, context, why };
  return new CodedError(error.kind, data, { cause: error });
}

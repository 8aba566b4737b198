import type { KubeError } from '../errors.ts';
import type { CodedError } from '../values/coded-error.ts';
import { kubeFailure } from '../values/failures.ts';
import { type ClusterName, troubleOf } from './cluster-name.ts';

/** No connection, or one that broke: by the code of the system (https://nodejs.org/api/errors.html#common-system-errors). */
export function describeConnection(error: KubeError, cluster: ClusterName): CodedError {
  const { host, hostname } = hostOf(cluster.server);
  const trouble = troubleOf(error, cluster);
  const options = { cause: error };
  switch (error.code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EAI_FAIL':
    case 'EAI_NODATA':
      return kubeFailure('dns', { ...trouble, hostname, systemCode: error.code }, options);
    case 'ECONNREFUSED':
      return kubeFailure('unreachable', { ...trouble, host, problem: 'refused' }, options);
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EHOSTDOWN':
    case 'ENETDOWN':
      return kubeFailure('unreachable', { ...trouble, host, problem: 'silent' }, options);
    case 'ERR_NO_ANSWER':
      return kubeFailure('no-answer', trouble, options);
    default:
      return kubeFailure('connection-lost', trouble, options);
  }
}

function hostOf(server: string): { readonly host: string; readonly hostname: string } {
  return URL.canParse(server) ? new URL(server) : { host: server, hostname: server };
}

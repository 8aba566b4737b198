import type { KubeError } from '../errors.ts';
import { LogtoolError } from '../values/errors.ts';
import type { ClusterName } from './describe.ts';

/** No connection, or one that broke: by the code of the system (https://nodejs.org/api/errors.html#common-system-errors). */
export function describeConnection(error: KubeError, cluster: ClusterName): LogtoolError {
  const { host, hostname } = hostOf(cluster.server);
  const context = `context "${cluster.context}"`;
  switch (error.code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EAI_FAIL':
    case 'EAI_NODATA':
      return unreachable(error, cluster, {
        code: 'dns',
        why: `the name ${hostname} is not known here (${error.code})`,
        next: `check the server address of ${context}, and the network or VPN that knows the name`,
      });
    case 'ECONNREFUSED':
      return unreachable(error, cluster, {
        why: `nothing listens at ${host} (connection refused)`,
        next: `check that the cluster runs and that the server address of ${context} is right`,
      });
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EHOSTDOWN':
    case 'ENETDOWN':
      return unreachable(error, cluster, {
        why: `${host} does not answer: ${error.message}`,
        next: 'check the network, the VPN, the proxy and firewall rules between here and the cluster',
      });
    case 'ERR_NO_ANSWER':
      return new LogtoolError({
        code: 'no-answer',
        what: `the cluster at ${cluster.server} took the request and did not answer`,
        why: error.message,
        next: 'run it again; if it stays so, the API server is overloaded or a proxy holds the answer back',
        cause: error,
      });
    default:
      return new LogtoolError({
        code: 'connection-lost',
        what: `the connection to the cluster at ${cluster.server} broke`,
        why: error.message,
        next: cluster.server.startsWith('http://')
          ? `run it again; if it stays so, the server address of ${context} may have to begin with https://`
          : 'run it again; if it stays so, something between here and the cluster cuts connections',
        cause: error,
      });
  }
}

function unreachable(
  cause: KubeError,
  cluster: ClusterName,
  parts: { readonly code?: string; readonly why: string; readonly next: string },
): LogtoolError {
  const what = `cannot reach the cluster at ${cluster.server}`;
  return new LogtoolError({ code: 'unreachable', ...parts, what, cause });
}

function hostOf(server: string): { readonly host: string; readonly hostname: string } {
  return URL.canParse(server) ? new URL(server) : { host: server, hostname: server };
}

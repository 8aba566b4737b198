import type { Entry } from '../config/kubeconfig.ts';
import { LogtoolError } from '../values/errors.ts';

/**
 * The URL of a cluster's `server`; without a scheme, https where TLS is configured, else http (client-go's
 * DefaultServerURL). Throws LogtoolError `bad-server-url`.
 */
export function parseServer(text: string, tlsConfigured: boolean, cluster: Entry): URL {
  if (text === '') throw badServer(cluster, 'the cluster has no server');
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${tlsConfigured ? 'https' : 'http'}://${text}`;
  if (!URL.canParse(full)) throw badServer(cluster, `${text} is not a URL`);
  const url = new URL(full);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw badServer(cluster, `${text} is neither an https nor an http URL`);
  }
  return url;
}

function badServer(cluster: Entry, why: string): LogtoolError {
  return new LogtoolError({
    code: 'bad-server-url',
    what: `the server of cluster ${cluster.name} cannot be used`,
    why,
    next: `correct \`server\` of the cluster in ${cluster.file}`,
  });
}

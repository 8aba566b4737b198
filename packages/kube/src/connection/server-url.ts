import type { Entry } from '../config/kubeconfig.ts';
import type { CodedError } from '../values/coded-error.ts';
import { type KubeFailures, kubeFailure } from '../values/failures.ts';

/**
 * The URL of a cluster's `server`; without a scheme, https where TLS is configured, else http (client-go's
 * DefaultServerURL). Throws LogtoolError `bad-server-url`.
 */
export function parseServer(text: string, tlsConfigured: boolean, cluster: Entry): URL {
  if (text === '') throw badServer(cluster, text, 'missing');
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${tlsConfigured ? 'https' : 'http'}://${text}`;
  if (!URL.canParse(full)) throw badServer(cluster, text, 'url');
  const url = new URL(full);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw badServer(cluster, text, 'scheme');
  }
  return url;
}

function badServer(
  { name, file }: Entry,
  url: string,
  problem: KubeFailures['bad-server-url']['problem'],
): CodedError {
  return kubeFailure('bad-server-url', { cluster: name, file, url, problem });
}

import { describeKubeError } from '@logtool/kube/src/failure/describe.ts';
import type { KubeFailures } from '@logtool/kube/src/values/failures.ts';
import type { ReadFailure } from '../../domain/verdicts/log-lack.ts';

/** What each failure of the client means for a log. */
const OF_FAILURE: { readonly [C in keyof KubeFailures]: ReadFailure } = {
  'auth-provider-removed': 'credentials',
  'bad-certificate-data': 'credentials',
  'bad-credentials': 'credentials',
  'bad-impersonation': 'credentials',
  'bad-proxy-url': 'unreachable',
  'bad-server-url': 'unreachable',
  conflict: 'refused-request',
  'connection-lost': 'connection-lost',
  credentials: 'credentials',
  dns: 'unreachable',
  'exec-plugin-failed': 'credentials',
  'exec-plugin-missing': 'credentials',
  'exec-plugin-not-allowed': 'credentials',
  forbidden: 'forbidden',
  'forbidden-anonymous': 'forbidden',
  gone: 'refused-request',
  'http-error': 'refused-request',
  'in-cluster-missing': 'unreachable',
  'insecure-with-authority': 'tls',
  'kubeconfig-invalid': 'credentials',
  'kubeconfig-not-found': 'credentials',
  'kubeconfig-unreadable': 'credentials',
  'kuberc-invalid': 'credentials',
  'missing-cluster': 'unreachable',
  'missing-user': 'credentials',
  'namespace-leaving': 'refused-request',
  'no-answer': 'no-answer',
  'no-current-context': 'unreachable',
  'not-admitted': 'refused-request',
  'not-found': 'not-found',
  'oidc-refresh-failed': 'credentials',
  'protocol-error': 'protocol-error',
  'proxy-refused': 'unreachable',
  'refused-request': 'refused-request',
  'server-error': 'server-error',
  'thread-script-missing': 'unexpected',
  tls: 'tls',
  'tls-client-certificate': 'tls',
  'tls-expired': 'tls',
  'tls-no-http1': 'tls',
  'tls-no-tls': 'tls',
  'tls-not-yet-valid': 'tls',
  'tls-unknown-authority': 'tls',
  'tls-version': 'tls',
  'tls-wrong-host': 'tls',
  'token-file-unreadable': 'credentials',
  'too-many-requests': 'too-many-requests',
  unauthorized: 'unauthorized',
  unexpected: 'unexpected',
  'unknown-context': 'unreachable',
  unreachable: 'unreachable',
};

/** A code does not depend on the cluster's name. */
const UNNAMED = { context: '', server: '', namespace: '', user: '' };

/** Returns why a log could not be read: the meaning of an error of the client, or of the engine that describes one. */
export function readFailureOf(error: unknown): ReadFailure {
  const { code } = describeKubeError(error, UNNAMED);
  return Object.hasOwn(OF_FAILURE, code) ? OF_FAILURE[code as keyof KubeFailures] : 'unexpected';
}

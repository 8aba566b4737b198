import type { CertificateTrouble, KubeFailures, MissingApi } from '@logtool/kube/src/values/failures.ts';
import { quoteArgument } from '@logtool/kube/src/values/quote-argument.ts';
import { isMaybeAbsent } from './kube.ts';
import { CORRECT_CERTIFICATES, SUCCESSORS } from './kube-causes.ts';
import type { NextOf } from './message.ts';

/** What to do next if the advice is the same for every reader: it names no flag and nothing on the page. */
export const KUBE_NEXT = {
  'auth-provider-removed': ({ provider }) =>
    SUCCESSORS.get(provider) ?? 'use an exec plugin, a token or a client certificate',
  'bad-certificate-data': certificateNext,
  'bad-credentials': 'correct the kubeconfig',
  'bad-impersonation': 'add `as: NAME` to the user in the kubeconfig, or remove the other fields',
  'bad-proxy-url': ({ from }) => `write ${from} as http://HOST:PORT, https://HOST:PORT or socks5://HOST:PORT`,
  'bad-server-url': ({ file }) => `correct \`server\` of the cluster in ${file}`,
  credentials: ({ context }) => `check the user of context "${context}" in the kubeconfig`,
  dns: ({ context }) =>
    `check the server address of context "${context}", and the network or VPN that knows the name`,
  'exec-plugin-missing': ({ plugin, installHint }) =>
    installHint || `install ${plugin}, or add its folder to PATH`,
  'exec-plugin-not-allowed': ({ program, file }) =>
    `to allow it, set credentialPluginPolicy: Allowlist and add {name: ${program}} to credentialPluginAllowlist in ${file}`,
  forbidden: (refusal) => {
    if ('missing' in refusal) return missingApiNext(refusal);
    if (refusal.right === undefined)
      return 'ask whoever administers the cluster for permission, or use another context';
    return isMaybeAbsent(refusal)
      ? `check the name, and your permission with: ${refusal.check}`
      : `check with: ${refusal.check}`;
  },
  'forbidden-anonymous':
    'give the user of this context a token, a client certificate or a plugin in the kubeconfig',
  'http-error': (answer) =>
    'missing' in answer
      ? missingApiNext(answer)
      : `check that ${answer.server} is the address of a Kubernetes API server, without a login page in between`,
  'insecure-with-authority': ({ file }) => `remove one of the two in ${file}`,
  'kuberc-invalid': 'correct the file; KUBERC=off ignores it',
  'namespace-leaving': ({ namespace }) =>
    `wait until it is gone (kubectl get namespace ${quoteArgument(namespace)}), or choose another one`,
  'not-admitted':
    'you have the permission, but a quota or a policy refuses this: comply with it, or ask whoever administers the cluster',
  'oidc-refresh-failed': 'log in again with the tool that wrote the kubeconfig',
  'protocol-error':
    'check that the address is that of a Kubernetes API server and that no proxy changes its answers',
  'proxy-refused': ({ from }) => `check ${from}, or exempt the server with NO_PROXY (proxy-url ignores it)`,
  'refused-request': ({ isUnknownField }) =>
    isUnknownField
      ? 'use a field that the cluster can select by, such as status.phase or spec.nodeName'
      : undefined,
  tls: ({ context }) =>
    `check the server address and the certificates of the cluster of context "${context}" in the kubeconfig`,
  'thread-script-missing': 'install logtool again',
  'tls-client-certificate': ({ context }) =>
    `check client-certificate-data of the user of context "${context}"`,
  'tls-expired': 'renew the certificate of the API server, or check the clock of this machine',
  'tls-no-http1': ({ server }) =>
    `use the address of the API server itself, or turn on HTTP/1.1 in the proxy at ${server}`,
  'tls-no-tls': ({ server, context }) =>
    `check the server address of the cluster of context "${context}": ${server} may have to begin with http://`,
  'tls-not-yet-valid': 'check the clock of this machine',
  'tls-unknown-authority': ({ context }) =>
    `set certificate-authority-data of the cluster of context "${context}" in the kubeconfig to the cluster's own authority`,
  'tls-version': 'update the API server, or the proxy in between',
  'tls-wrong-host': ({ context }) =>
    `use a server address that the certificate names, or set tls-server-name of the cluster of context "${context}"`,
  'token-file-unreadable': 'check tokenFile in the kubeconfig, or the service account of the pod',
  unreachable: (trouble) => {
    switch (trouble.problem) {
      case 'timeout':
        return 'check that the network, a VPN or a proxy leads to it, then try again';
      case 'refused':
        return `check that the cluster runs and that the server address of context "${trouble.context}" is right`;
      case 'silent':
        return 'check the network, the VPN, the proxy and firewall rules between here and the cluster';
    }
  },
} satisfies Partial<NextOf<KubeFailures>>;

/** Returns the advice for an API that the server lacks. */
export function missingApiNext({ context }: MissingApi): string {
  return `check the server address of context "${context}", also its path; kubectl api-resources lists the kinds`;
}

/** Returns the advice for the credentials of a kubeconfig. */
export function loginNext({ context }: KubeFailures['unauthorized']): string {
  return `log in again, then check with: kubectl auth whoami --context ${quoteArgument(context)}`;
}

function certificateNext(trouble: CertificateTrouble): string {
  switch (trouble.problem) {
    case 'no-pem':
    case 'other-key':
    case 'encrypted-key':
    case 'unusable':
      return CORRECT_CERTIFICATES;
    case 'lacks':
      return `add ${trouble.field} or ${trouble.field}-data to the user in ${trouble.file}`;
    case 'not-base64':
      return 'get the kubeconfig again from its source; a field with `-data` holds base64, one without names a file';
    case 'unreadable':
      return `correct ${trouble.field} in ${trouble.file}`;
  }
}

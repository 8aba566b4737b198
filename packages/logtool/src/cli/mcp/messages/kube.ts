import type { KubeFailures } from '@logtool/kube/src/values/failures.ts';
import { KUBE_FACTS } from '../../../messages/kube.ts';
import type { Facts, Message } from '../../../messages/message.ts';

const DETAILS = 'ask the person who runs logtool: its standard error has the details';
const AGAIN = 'call the tool again; if it fails again, the cluster or one of its nodes has a problem';

/** What an assistant learns of a failure whose data must not leave the machine. */
const HIDDEN = {
  credentials: 'the cluster does not accept the credentials of logtool',
  kubeconfig: 'logtool cannot use its kubeconfig',
  way: 'logtool cannot reach the cluster',
  defect: 'logtool failed unexpectedly',
} as const;

/** What an agent can do after a failure whose data may leave the machine; of the others, what it learns. */
const SHOWN: { readonly [C in keyof KubeFailures]: { readonly next: string } | keyof typeof HIDDEN } = {
  'auth-provider-removed': 'kubeconfig',
  'bad-certificate-data': 'kubeconfig',
  'bad-credentials': 'kubeconfig',
  'bad-impersonation': 'kubeconfig',
  'bad-proxy-url': 'kubeconfig',
  'bad-server-url': 'kubeconfig',
  conflict: { next: AGAIN },
  'connection-lost': 'way',
  credentials: 'kubeconfig',
  dns: 'way',
  'exec-plugin-failed': 'kubeconfig',
  'exec-plugin-missing': 'kubeconfig',
  'exec-plugin-not-allowed': 'kubeconfig',
  forbidden: {
    next: 'read another namespace or kind, or ask the person who runs logtool for this permission',
  },
  'forbidden-anonymous': 'credentials',
  gone: { next: AGAIN },
  'http-error': 'way',
  'in-cluster-missing': 'kubeconfig',
  'insecure-with-authority': 'kubeconfig',
  'kubeconfig-invalid': 'kubeconfig',
  'kubeconfig-not-found': 'kubeconfig',
  'kubeconfig-unreadable': 'kubeconfig',
  'kuberc-invalid': 'kubeconfig',
  'missing-cluster': 'kubeconfig',
  'missing-user': 'kubeconfig',
  'namespace-leaving': { next: 'read another namespace' },
  'no-answer': 'way',
  'no-current-context': 'kubeconfig',
  'not-admitted': { next: 'change the arguments' },
  'not-found': { next: 'check the name; find_workloads lists what exists' },
  'oidc-refresh-failed': 'kubeconfig',
  'protocol-error': 'way',
  'proxy-refused': 'way',
  'refused-request': { next: 'change the arguments' },
  'server-error': { next: AGAIN },
  'thread-script-missing': 'defect',
  tls: 'way',
  'tls-client-certificate': 'way',
  'tls-expired': 'way',
  'tls-no-http1': 'way',
  'tls-no-tls': 'way',
  'tls-not-yet-valid': 'way',
  'tls-unknown-authority': 'way',
  'tls-version': 'way',
  'tls-wrong-host': 'way',
  'token-file-unreadable': 'kubeconfig',
  'too-many-requests': { next: 'wait a little, then read fewer sources' },
  unauthorized: 'credentials',
  unexpected: 'defect',
  'unknown-context': 'kubeconfig',
  unreachable: 'way',
};

/**
 * The messages of the cluster's client. Only the person who runs the program may see kubeconfig details such
 * as servers, files and users.
 */
export const KUBE_MESSAGES: Readonly<Record<string, (data: never) => Message>> = Object.fromEntries(
  Object.entries(KUBE_FACTS).map(([code, factsOf]) => {
    const shown = SHOWN[code as keyof KubeFailures];
    if (typeof shown === 'string') return [code, () => hiddenMessage(code, shown)];
    const { next } = shown;
    return [code, (data: never) => ({ ...withoutUser((factsOf as (data: never) => Facts)(data)), next })];
  }),
);

function hiddenMessage(code: string, subject: keyof typeof HIDDEN): Message {
  const what = HIDDEN[subject];
  return subject === 'defect' ? { what, next: DETAILS } : { what, why: code, next: DETAILS };
}

/** Every API server begins a rejection like this: `User "NAME" cannot list ...`. */
function withoutUser({ what, why }: Facts): Facts {
  return { what: what.replace(/ at $/, ''), why: why?.replace(/\bUser "[^"]*"/g, 'the user of logtool') };
}

import type { KubeFailures } from '@logtool/kube/src/values/failures.ts';
import { KUBE_FACTS } from '../../../messages/kube.ts';
import type { Facts, Message } from '../../../messages/message.ts';

const DETAILS = 'ask the person who runs logtool: its standard error has the details';
const AGAIN = 'call the tool again; if it fails again, the cluster or one of its nodes has a problem';

/** Errors from the cluster whose data may leave the machine, and what an agent can do. */
const ANSWERED: { readonly [C in keyof KubeFailures]?: string } = {
  conflict: AGAIN,
  forbidden: 'read another namespace or kind, or ask the person who runs logtool for this permission',
  gone: AGAIN,
  'namespace-leaving': 'read another namespace',
  'not-found': 'check the name; find_workloads lists what exists',
  'refused-request': 'change the arguments',
  'server-error': AGAIN,
  'too-many-requests': 'wait a little, then read fewer sources',
};

/** Codes of failures on the way to the cluster. All others concern the kubeconfig and its credentials. */
const ON_THE_WAY =
  /^(?:connection-lost|dns|no-answer|protocol-error|proxy-refused|tls|tls-.*|unreachable|http-error)$/;

/**
 * The messages of the cluster's client. Only the person who runs the program may see kubeconfig details such
 * as servers, files and users: a code that is not listed above shows none of its data.
 */
export const KUBE_MESSAGES: Readonly<Record<string, (data: never) => Message>> = Object.fromEntries(
  Object.entries(KUBE_FACTS).map(([code, factsOf]) => {
    const next = ANSWERED[code as keyof KubeFailures];
    if (next === undefined) return [code, () => hiddenMessage(code)];
    return [code, (data: never) => ({ ...withoutUser((factsOf as (data: never) => Facts)(data)), next })];
  }),
);

function hiddenMessage(code: string): Message {
  if (code === 'unauthorized' || code === 'forbidden-anonymous')
    return { what: 'the cluster does not accept the credentials of logtool', why: code, next: DETAILS };
  if (code === 'unexpected') return { what: 'logtool failed unexpectedly', next: DETAILS };
  return ON_THE_WAY.test(code)
    ? { what: 'logtool cannot reach the cluster', why: code, next: DETAILS }
    : { what: 'logtool cannot use its kubeconfig', why: code, next: DETAILS };
}

/** Every API server begins a rejection like this: `User "NAME" cannot list ...`. */
function withoutUser({ what, why }: Facts): Facts {
  return { what: what.replace(/ at $/, ''), why: why?.replace(/\bUser "[^"]*"/g, 'the user of logtool') };
}

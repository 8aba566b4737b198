import type { AnswerFailures, BadRequest } from '../contract/server-failures.ts';
import type { NextOf } from './message.ts';

/** What to do next if the advice is the same for every reader: it names no flag and nothing on the page. */
export const ANSWER_NEXT = {
  'answer-too-slow': undefined,
  'bad-query': ({ problem }) => (problem === 'same-id' ? 'give each query an id of its own' : undefined),
  'bad-time': undefined,
  'body-too-large': ({ isSignIn }) => (isSignIn ? 'paste only the token' : 'request fewer sources at once'),
  'body-too-slow': 'send it again',
  closing: undefined,
  'context-not-found': 'choose another one; a context that you add to the kubeconfig appears within a second',
  'long-lines': 'use a smaller pattern, or text without operators',
  'method-not-allowed': undefined,
  'namespace-not-allowed': 'choose one of these, or ask whoever runs the server',
  'no-cluster-for-sign-in': 'ask whoever runs the server to set one: kubectl config use-context NAME',
  'no-sign-in': undefined,
  'no-token-in-address': undefined,
  'not-signed-in': 'sign in, or open the address that the server printed at its start',
  'page-not-built': 'run: npm run build',
  'page-token': 'load the page again',
  'token-revoked': 'sign in with a valid token',
  'too-many-bodies': 'send the request again',
  'too-many-namespaces': 'choose fewer namespaces, or close other tabs',
  'too-many-open-sources': 'close some views, or choose fewer sources',
  'too-many-sign-ins': 'try again in a moment',
  'too-many-sources': 'choose fewer sources, or use a pattern such as deployments/*',
  'too-many-streams': 'close some tabs of the dashboard, then try again',
  'wrong-token': ({ problem }) => TOKEN_NEXT[problem],
} satisfies Partial<NextOf<AnswerFailures>>;

/**
 * Returns the advice for a request that the server cannot process; `form`: for one that does not match the contract.
 */
export function requestNext(problem: BadRequest['problem'], form: string): string | undefined {
  if (problem === 'form') return form;
  return problem === 'namespaces' || problem === 'namespace-name'
    ? 'choose namespaces from the list, or none for all'
    : undefined;
}

/** Advice for an address without a page. */
export const OPEN_PRINTED = 'open the address that the server printed';

const TOKEN_NEXT = {
  other: 'open the address that the server printed at its start',
  unknown: 'paste a valid token: kubectl create token ACCOUNT --namespace NAMESPACE',
  form: 'paste only the token, in one piece',
} as const;

import type { ClusterClient } from '@logtool/kube/src/create-client.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { type Status, unauthorized, unavailable } from '../status/status.ts';
import { answerWithin } from './answer-within.ts';

/** An agent, as the API server knows it: by the pod that its token is bound to. */
export interface AgentIdentity {
  readonly node: string;
  readonly pod: string;
  readonly podUid: string;
}

export type AgentTokenProblem = 'not-a-token' | 'refused' | 'other-account' | 'not-bound' | 'unanswered';

export interface AgentTokenOptions {
  readonly client: Pick<ClusterClient, 'reviewToken'>;
  readonly clock: Clock;
  /** The user name of the agents' service account: `system:serviceaccount:NAMESPACE:NAME`. */
  readonly account: string;
}

const AUDIENCE = 'logtool-api';
/** RFC 6750, 2.1; longer than any token of a service account. */
const TOKEN = /^[\w.~+/-]{1,16384}={0,2}$/;
const EXTRA = 'authentication.kubernetes.io/';

/**
 * Returns which agent a token proves: one of the agents' account, of the audience `logtool-api`, bound to a pod on a
 * node. Throws only the signal's reason. What is no token is not sent.
 */
export async function agentOf(
  token: string,
  { client, clock, account }: AgentTokenOptions,
  signal: AbortSignal,
): Promise<
  { readonly agent: AgentIdentity } | { readonly problem: AgentTokenProblem; readonly status: Status }
> {
  const refused = (problem: AgentTokenProblem) => ({ problem, status: unauthorized() });
  if (!TOKEN.test(token)) return refused('not-a-token');
  const review = await answerWithin(
    clock,
    (limit) => client.reviewToken(token, AUDIENCE, { signal: limit }),
    signal,
  );
  if ('unanswered' in review) return { problem: 'unanswered', status: unavailable('review') };
  if (review.answer === undefined) return refused('refused');
  const { user, extra } = review.answer;
  if (user !== account) return refused('other-account');
  const [node, pod, podUid] = ['node-name', 'pod-name', 'pod-uid'].map((key) => onlyOne(extra, EXTRA + key));
  if (node === undefined || pod === undefined || podUid === undefined) return refused('not-bound');
  return { agent: { node, pod, podUid } };
}

function onlyOne(extra: Readonly<Record<string, readonly string[]>>, key: string): string | undefined {
  const values = Object.hasOwn(extra, key) ? extra[key] : undefined;
  return values?.length === 1 && values[0] !== '' ? values[0] : undefined;
}

import { PODS } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeClient, KubeObject } from '@logtool/kube/src/client.ts';
import type { ClusterClient } from '@logtool/kube/src/create-client.ts';
import { isKubeError } from '@logtool/kube/src/errors.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { type Status, unauthorized, unavailable } from '../status/status.ts';
import { answerWithin } from './answer-within.ts';

/** An agent, as the API server knows it: by the pod that its token is bound to. */
export interface AgentIdentity {
  readonly node: string;
  readonly pod: string;
  readonly podUid: string;
}

export type AgentTokenProblem =
  | 'not-a-token'
  | 'refused'
  | 'other-account'
  | 'not-bound'
  /** The pod of the token is gone, or another one has its name. */
  | 'other-pod'
  | 'other-node'
  | 'unanswered';

export interface AgentTokenOptions {
  readonly client: Pick<ClusterClient, 'reviewToken'> & Pick<KubeClient, 'get'>;
  readonly clock: Clock;
  /** The namespace of the agents, and the name of their service account. */
  readonly namespace: string;
  readonly account: string;
}

interface AgentPod extends KubeObject {
  readonly spec?: { readonly nodeName?: string; readonly serviceAccountName?: string };
}

type Refusal = { readonly problem: AgentTokenProblem; readonly status: Status; readonly cause?: unknown };

const AUDIENCE = 'logtool-api';
/** RFC 6750, 2.1; longer than any token of a service account. */
const TOKEN = /^[\w.~+/-]{1,16384}={0,2}$/;
const EXTRA = 'authentication.kubernetes.io/';

/**
 * Returns which agent a token proves: one of the agents' account, of the audience `logtool-api`, bound to a pod. The
 * node is that of the pod; a server that names the node of a token, as Kubernetes 1.30 and newer do, must name the same
 * one. Throws only the signal's reason. What is no token is not sent.
 */
export async function agentOf(
  token: string,
  options: AgentTokenOptions,
  signal: AbortSignal,
): Promise<{ readonly agent: AgentIdentity } | Refusal> {
  const { client, clock, namespace, account } = options;
  if (!TOKEN.test(token)) return refused('not-a-token');
  const review = await answerWithin(
    clock,
    (limit) => client.reviewToken(token, AUDIENCE, { signal: limit }),
    signal,
  );
  if ('unanswered' in review) return unanswered(review.unanswered);
  if (review.answer === undefined) return refused('refused');
  const { user, extra } = review.answer;
  if (user !== `system:serviceaccount:${namespace}:${account}`) return refused('other-account');
  const [pod, podUid] = [onlyOne(extra, 'pod-name'), onlyOne(extra, 'pod-uid')];
  if (pod === undefined || podUid === undefined) return refused('not-bound');
  const found = await nodeOfPod({ pod, podUid }, options, signal);
  if ('problem' in found) return found;
  const isSameNode = !Object.hasOwn(extra, `${EXTRA}node-name`) || onlyOne(extra, 'node-name') === found.node;
  return isSameNode ? { agent: { node: found.node, pod, podUid } } : refused('other-node');
}

async function nodeOfPod(
  { pod, podUid }: Pick<AgentIdentity, 'pod' | 'podUid'>,
  { client, clock, namespace, account }: AgentTokenOptions,
  signal: AbortSignal,
): Promise<{ readonly node: string } | Refusal> {
  const asked = await answerWithin(
    clock,
    (limit) => client.get<AgentPod>(PODS, { namespace, name: pod }, { signal: limit }),
    signal,
  );
  if ('unanswered' in asked) {
    return isKubeError(asked.unanswered, 'not-found') ? refused('other-pod') : unanswered(asked.unanswered);
  }
  const { metadata, spec } = asked.answer;
  if (metadata.uid !== podUid) return refused('other-pod');
  if (spec?.serviceAccountName !== account) return refused('other-account');
  return spec.nodeName === undefined ? refused('other-node') : { node: spec.nodeName };
}

function refused(problem: AgentTokenProblem): Refusal {
  return { problem, status: unauthorized() };
}

function unanswered(cause: unknown): Refusal {
  return { problem: 'unanswered', status: unavailable('agent'), cause };
}

function onlyOne(extra: Readonly<Record<string, readonly string[]>>, name: string): string | undefined {
  const key = EXTRA + name;
  const values = Object.hasOwn(extra, key) ? extra[key] : undefined;
  return values?.length === 1 && values[0] !== '' ? values[0] : undefined;
}

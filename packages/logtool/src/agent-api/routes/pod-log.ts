import type { KubeClient } from '@logtool/kube/src/client.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { findNameFault } from '../../domain/names.ts';
import type { AgentAddress } from '../fan-out/agents.ts';
import { type AgentsAnswer, type ApiCredentials, askAgent } from '../fan-out/ask-agent.ts';
import type { Identity } from '../front-proxy/read-identity.ts';
import { agentMissing, podNotFound } from '../status/log-status.ts';
import type { Status } from '../status/status.ts';
import { GROUP_VERSION } from './api-documents.ts';
import { findPod, type PodName, type PodToRead } from './pod-to-read.ts';

/** The cluster around the API of logtool: its API server, and the agents. */
export interface Surroundings {
  readonly client: Pick<KubeClient, 'get'>;
  readonly agents: { of(node: string): AgentAddress | undefined };
  /** Called for each request. */
  readonly credentials: () => ApiCredentials;
  readonly clock: Clock;
}

export interface AskedLog extends PodName {
  readonly query: URLSearchParams;
  readonly identity: Identity;
}

export type PodLogAnswer =
  | { readonly status: Status; readonly cause?: unknown }
  /** The pod has no node yet: there is no log, and no error (core answers 204). */
  | { readonly isEmpty: true }
  | { readonly answered: AgentsAnswer };

/**
 * Asks the agent of the pod's node for a log. The parameter `node` names the node of a pod that the API server knows no
 * more, or that has had the name before: then `uid` and `container` are passed on as they came. Whether the
 * caller may read the log is decided before; the agent decides it again.
 */
export async function openPodLog(
  { namespace, pod, query, identity }: AskedLog,
  { client, agents, credentials, clock }: Surroundings,
  signal: AbortSignal,
): Promise<PodLogAnswer> {
  // No such name exists, and nobody is asked for it.
  if (!isPodName({ namespace, pod })) return { status: podNotFound(pod) };
  const passed = new URLSearchParams(query);
  passed.delete('node');
  let node = query.get('node') ?? '';
  if (node === '') {
    const found = await findPod({ namespace, pod }, query.get('container') ?? '', { client, clock, signal });
    if ('status' in found) return found;
    if (found.node === undefined) return { isEmpty: true };
    choose(passed, found);
    node = found.node;
  }
  const agent = agents.of(node);
  if (agent === undefined) return { status: agentMissing(node, 'none') };
  const path = `/apis/${GROUP_VERSION}/namespaces/${namespace}/pods/${pod}/log?${passed}`;
  try {
    return { answered: await askAgent(agent, { path, identity, signal }, credentials(), clock) };
  } catch (cause) {
    signal.throwIfAborted();
    return { status: agentMissing(node, 'unreachable'), cause };
  }
}

/** A UID that the caller names itself is that of another pod of this name, maybe: the agent knows. */
function choose(passed: URLSearchParams, { uid, container }: PodToRead): void {
  passed.set('container', container);
  if ((passed.get('uid') ?? '') === '') passed.set('uid', uid);
}

function isPodName({ namespace, pod }: PodName): boolean {
  return findNameFault(namespace, 'label') === undefined && findNameFault(pod, 'subdomain') === undefined;
}

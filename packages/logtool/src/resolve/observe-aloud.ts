import { PODS } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeErrorLike, KubeObject, ReflectorEvent } from '@logtool/kube/src/client.ts';
import type { ResolveContext } from './context.ts';
import { type Observation, observe } from './observe.ts';
import { isType } from './roots.ts';
import { isOfCluster, tellState } from './tell-state.ts';

/** `observe` for a resolution: what is about the connection and not about objects becomes notices. */
export async function* observeAloud(
  context: ResolveContext,
  observation: Observation,
  signal: AbortSignal,
): AsyncGenerator<Exclude<ReflectorEvent<KubeObject>, { readonly type: 'state' }>> {
  const { client, follow, notice, plan } = context;
  // The plan's field selector is about pods, whichever way leads to them.
  const wanted = isType(observation.type, PODS)
    ? { ...observation, fieldSelector: plan.fieldSelector }
    : observation;
  let isAway = false;
  let told: KubeErrorLike['kind'] | undefined;
  /** Told to be so of the whole cluster since it was last live. */
  let isClusterAway = false;
  for await (const event of observe(client, wanted, { follow, signal })) {
    if (event.type !== 'state') {
      yield event;
      continue;
    }
    // A version that is too old is answered by a new list: nothing is missed, and nothing is to be done.
    if (event.state === 'retrying' && event.error?.kind === 'gone') continue;
    if (event.state === 'live' && !isAway) continue;
    // A server that is away refuses in more than one way, and so does one that is just starting: one piece of news.
    const kind = event.state === 'retrying' ? event.error?.kind : undefined;
    if (kind !== undefined && (kind === told || (isClusterAway && isStarting(kind)))) continue;
    tellState(event, observation, client.cluster, notice, isClusterAway);
    told = kind;
    isAway = event.state !== 'live';
    isClusterAway = event.state === 'retrying' && (isClusterAway || isOfCluster(kind));
  }
}

function isStarting(kind: KubeErrorLike['kind']): boolean {
  return kind === 'server' || kind === 'too-many-requests';
}

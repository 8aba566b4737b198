import type { KubeObject, ReflectorEvent } from '../kube/client.ts';
import type { ResolveContext } from './context.ts';
import { type Observation, observe } from './observe.ts';
import { tellState } from './tell-state.ts';

/** `observe` for a resolution: what is about the connection and not about objects becomes notices. */
export async function* observeAloud(
  context: ResolveContext,
  observation: Observation,
  signal: AbortSignal,
): AsyncGenerator<Exclude<ReflectorEvent<KubeObject>, { readonly type: 'state' }>> {
  const { client, follow, notice } = context;
  for await (const event of observe(client, observation, { follow, signal })) {
    if (event.type === 'state') tellState(event, observation, client.cluster, notice);
    else yield event;
  }
}

import { PODS } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeErrorLike, KubeObject, ReflectorEvent } from '@logtool/kube/src/client.ts';
import type { ResolveContext } from '../context.ts';
import { isType } from '../track/roots.ts';
import { type Observation, observe } from './observe.ts';
import { isOfCluster, reportState } from './report-state.ts';

/** `observe` for a resolution: what is about the connection and not about objects becomes notices. */
export async function* observeAloud(
  context: ResolveContext,
  observation: Observation,
  signal: AbortSignal,
): AsyncGenerator<Exclude<ReflectorEvent<KubeObject>, { readonly type: 'state' }>> {
  const { client, follow, notice, plan, onObject } = context;
  // The plan's field selector is about pods, whichever way leads to them.
  const wanted = isType(observation.type, PODS)
    ? { ...observation, fieldSelector: plan.fieldSelector }
    : observation;
  const states = new ConnectionStates();
  for await (const event of observe(client, wanted, {
    follow,
    signal,
    withHistory: onObject !== undefined,
  })) {
    if (event.type !== 'state') yield event;
    else if (states.isNew(event)) {
      reportState(event, observation, client.cluster, notice, states.isClusterAway);
      states.note(event);
    }
  }
}

type StateEvent = Extract<ReflectorEvent<KubeObject>, { readonly type: 'state' }>;

/** What was reported of a connection, so that one outage is reported once. */
class ConnectionStates {
  #isAway = false;
  #reported: KubeErrorLike['kind'] | undefined;
  /** Reported to be so of the whole cluster since it was last live. */
  isClusterAway = false;

  /** Whether a state must be reported. */
  isNew({ state, error }: StateEvent): boolean {
    if (state === 'live') return this.#isAway;
    if (state !== 'retrying' || error === undefined) return true;
    // A new list answers a version that is too old: nothing is missed, and nothing needs doing.
    if (error.kind === 'gone') return false;
    // A server that is away refuses in more than one way, and so does one that is just starting: one change.
    return error.kind !== this.#reported && !(this.isClusterAway && isStarting(error.kind));
  }

  /** A state was reported. */
  note({ state, error }: StateEvent): void {
    const kind = state === 'retrying' ? error?.kind : undefined;
    this.#reported = kind;
    this.#isAway = state !== 'live';
    this.isClusterAway = state === 'retrying' && (this.isClusterAway || isOfCluster(kind));
  }
}

function isStarting(kind: KubeErrorLike['kind']): boolean {
  return kind === 'server' || kind === 'too-many-requests';
}

import { PODS } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeErrorLike, KubeObject, ReflectorEvent } from '@logtool/kube/src/client.ts';
import type { ResolveContext } from '../context.ts';
import { isType } from '../track/roots.ts';
import { type Observation, observe } from './observe.ts';
import { isOfCluster, reportState } from './report-state.ts';

/** Wraps `observe` for a resolution: turns events about the connection, and not about objects, into notices. */
export async function* observeAloud(
  context: ResolveContext,
  observation: Observation,
  signal: AbortSignal,
): AsyncGenerator<Exclude<ReflectorEvent<KubeObject>, { readonly type: 'state' }>> {
  const { client, follow, notice, plan, onObject } = context;
  // The plan's field selector applies to pods, whichever way leads to them.
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

/** Remembers what was reported about a connection, so that one outage is reported once. */
class ConnectionStates {
  #isAway = false;
  #reported: KubeErrorLike['kind'] | undefined;
  /** Whether the state was reported for the whole cluster since the connection was last live. */
  isClusterAway = false;

  /** Returns whether a state must be reported. */
  isNew({ state, error }: StateEvent): boolean {
    if (state === 'live') return this.#isAway;
    if (state !== 'retrying' || error === undefined) return true;
    // A new list replaces a version that is too old: nothing is missed, and the user need not act.
    if (error.kind === 'gone') return false;
    // A server that is down, or is just starting, fails in more than one way. Report that as one change.
    return error.kind !== this.#reported && !(this.isClusterAway && isStarting(error.kind));
  }

  /** Records that a state was reported. */
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

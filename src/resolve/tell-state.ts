import type { KubeErrorLike } from '../kube/client.ts';
import { type ClusterName, describeKubeError } from '../kube/failure/describe.ts';
import type { ResolveContext } from './context.ts';
import { typeText } from './find-kind.ts';
import type { Observation } from './observe.ts';

/** A cluster that is away is so for everything that is looked at: that is one piece of news. */
const WHOLE_CLUSTER = 'the cluster';

/**
 * Says in words that a reflector polls, tries again, or is back. `wasAway`: what was wrong before, of a state that is
 * live again.
 */
export function tellState(
  event: { readonly state: 'polling' | 'retrying' | 'live'; readonly error?: KubeErrorLike },
  observation: Observation,
  cluster: ClusterName,
  notice: ResolveContext['notice'],
  wasAway?: KubeErrorLike['kind'],
): void {
  const { type, namespace } = observation;
  const place = !type.namespaced
    ? ''
    : namespace === undefined
      ? ' in all namespaces'
      : ` in namespace "${namespace}"`;
  const what = `${typeText(type)}${place}`;
  switch (event.state) {
    case 'polling':
      if (event.error?.kind === 'forbidden') {
        notice('polling', `you may not watch ${what}: asking again every few seconds instead`);
      } else notice('polling', `${what} cannot be watched: asking again every few seconds instead`);
      return;
    case 'retrying': {
      const why = whyText(event.error, cluster);
      if (event.error?.kind === 'connection')
        notice('retrying', `no news of ${WHOLE_CLUSTER} for now, trying again: ${why}`, WHOLE_CLUSTER);
      else notice('retrying', `no news of ${what} for now, trying again: ${why}`);
      return;
    }
    case 'live':
      notice('live', `there is news of ${wasAway === 'connection' ? WHOLE_CLUSTER : what} again`);
  }
}

/** Credentials are renewed by the person, so the words for people come with what to do; the rest heals by itself. */
function whyText(error: KubeErrorLike | undefined, cluster: ClusterName): string {
  if (error === undefined) return 'the watch failed';
  if (error.kind !== 'unauthorized' && error.kind !== 'credentials') return error.message;
  const { what, next } = describeKubeError(error, cluster);
  return next === undefined ? what : `${what}; ${next}`;
}

import type { KubeErrorLike } from '@logtool/kube/src/client.ts';
import { type ClusterName, describeKubeError } from '@logtool/kube/src/failure/describe.ts';
import type { ResolveContext } from './context.ts';
import { typeText } from './find-kind.ts';
import type { Observation } from './observe.ts';

/** What is so for everything that is looked at: that is one piece of news. */
const OF_THE_CLUSTER: readonly unknown[] = [
  'connection',
  'tls',
  'credentials',
  'unauthorized',
] satisfies KubeErrorLike['kind'][];

/** Whether a failure of this kind is one of everything that is looked at. */
export function isOfCluster(kind: KubeErrorLike['kind'] | undefined): boolean {
  return OF_THE_CLUSTER.includes(kind);
}

/**
 * Says in words that a reflector polls, tries again, or is back. `wasClusterAway`: the whole cluster was told to be
 * away until now.
 */
export function tellState(
  event: { readonly state: 'polling' | 'retrying' | 'live'; readonly error?: KubeErrorLike },
  observation: Observation,
  cluster: ClusterName,
  notice: ResolveContext['notice'],
  wasClusterAway: boolean,
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
      if (wasClusterAway) tellBack(notice);
      if (event.error?.kind === 'forbidden') {
        notice('polling', `you lack permission to watch ${what}; asking again every few seconds instead`);
      } else notice('polling', `${what} cannot be watched: asking again every few seconds instead`);
      return;
    case 'retrying': {
      const why = whyText(event.error, cluster);
      const kind = event.error?.kind;
      if (isOfCluster(kind))
        notice(
          kind === 'connection' ? 'cluster-away' : 'cluster-refuses',
          `Lost contact with the cluster, trying again: ${why}`,
          kind,
        );
      else notice('retrying', `lost contact with ${what}, trying again: ${why}`);
      return;
    }
    case 'live':
      if (wasClusterAway) tellBack(notice);
      else notice('live', `reconnected to ${what}`);
  }
}

function tellBack(notice: ResolveContext['notice']): void {
  notice('cluster-back', 'Reconnected to the cluster');
}

/** Credentials are renewed by the person, so the words for people come with what to do; the rest heals by itself. */
function whyText(error: KubeErrorLike | undefined, cluster: ClusterName): string {
  if (error === undefined) return 'the watch failed';
  if (error.kind !== 'unauthorized' && error.kind !== 'credentials') return error.message;
  const { what, next } = describeKubeError(error, cluster);
  return next === undefined ? what : `${what}; ${next}`;
}

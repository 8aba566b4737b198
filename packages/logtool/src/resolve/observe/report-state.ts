import type { KubeErrorLike } from '@logtool/kube/src/client.ts';
import type { ClusterName } from '@logtool/kube/src/failure/cluster-name.ts';
import { describeKubeError } from '@logtool/kube/src/failure/describe.ts';
import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import type { ResolveContext } from '../context.ts';
import { typeText } from '../sources/find-kind.ts';
import type { Observation } from './observe.ts';

/** A state that affects everything that is watched: it is reported once. */
const OF_THE_CLUSTER: readonly unknown[] = [
  'connection',
  'tls',
  'credentials',
  'unauthorized',
] satisfies KubeErrorLike['kind'][];

/** Whether a failure of this kind affects everything that is watched. */
export function isOfCluster(kind: KubeErrorLike['kind'] | undefined): boolean {
  return OF_THE_CLUSTER.includes(kind);
}

/**
 * Reports that a reflector polls, tries again, or is back. `wasClusterAway`: the whole cluster was reported
 * away until now.
 */
export function reportState(
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
      if (wasClusterAway) reportReconnected(notice);
      if (event.error?.kind === 'forbidden') {
        notice('polling', `you lack permission to watch ${what}; asking again every few seconds instead`);
      } else notice('polling', `${what} cannot be watched: asking again every few seconds instead`);
      return;
    case 'retrying': {
      const { why, cause } = reasonOf(event.error, cluster);
      const kind = event.error?.kind;
      if (isOfCluster(kind)) {
        const code = kind === 'connection' ? 'cluster-away' : 'cluster-refuses';
        notice(code, `Lost contact with the cluster, trying again${why}`, { about: kind, cause });
      } else notice('retrying', `lost contact with ${what}, trying again${why}`, { cause });
      return;
    }
    case 'live':
      if (wasClusterAway) reportReconnected(notice);
      else notice('live', `reconnected to ${what}`);
  }
}

function reportReconnected(notice: ResolveContext['notice']): void {
  notice('cluster-back', 'Reconnected to the cluster');
}

/** Credentials are renewed by the person, who has to know how; the rest heals by itself. */
function reasonOf(
  error: KubeErrorLike | undefined,
  cluster: ClusterName,
): { readonly why: string; readonly cause?: CodedError } {
  if (error === undefined) return { why: ': the watch failed' };
  if (error.kind !== 'unauthorized' && error.kind !== 'credentials') return { why: `: ${error.message}` };
  return { why: '', cause: describeKubeError(error, cluster) };
}

import type { KubeErrorLike, ResourceType } from '@logtool/kube/src/client.ts';
import type { ClusterName } from '@logtool/kube/src/failure/cluster-name.ts';
import { describeKubeError } from '@logtool/kube/src/failure/describe.ts';
import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { type Why, whyOf } from '@logtool/kube/src/values/problems.ts';
import type { Watched } from '../../domain/notice.ts';
import type { SearchedScope } from '../../domain/resolve-failures.ts';
import type { ResolveContext } from '../context.ts';
import { typeText } from '../sources/find-kind.ts';
import type { Observation } from './observe.ts';

/** States that affect everything that is watched, and so are reported once. */
const OF_THE_CLUSTER: readonly unknown[] = [
  'connection',
  'tls',
  'credentials',
  'unauthorized',
] satisfies KubeErrorLike['kind'][];

/** Returns whether a failure of this kind affects everything that is watched. */
export function isOfCluster(kind: KubeErrorLike['kind'] | undefined): boolean {
  return OF_THE_CLUSTER.includes(kind);
}

/**
 * Reports that a reflector polls, retries, or is back. `wasClusterAway`: the whole cluster was reported as away until
 * now.
 */
export function reportState(
  event: { readonly state: 'polling' | 'retrying' | 'live'; readonly error?: KubeErrorLike },
  { type, namespace }: Observation,
  cluster: ClusterName,
  notice: ResolveContext['notice'],
  wasClusterAway: boolean,
): void {
  const watched: Watched = { type: typeText(type), scope: scopeOf(type, namespace) };
  switch (event.state) {
    case 'polling':
      if (wasClusterAway) reportBack(notice);
      notice({ code: 'polling', data: { ...watched, isForbidden: event.error?.kind === 'forbidden' } });
      return;
    case 'retrying': {
      const { why, cause } = reasonOf(event.error, cluster);
      const kind = event.error?.kind;
      if (isOfCluster(kind)) {
        const code = kind === 'connection' ? 'cluster-away' : 'cluster-refuses';
        notice({ code, data: { why } }, { about: kind, cause });
      } else notice({ code: 'retrying', data: { ...watched, why } }, { cause });
      return;
    }
    case 'live':
      if (wasClusterAway) reportBack(notice);
      else notice({ code: 'live', data: watched });
      return;
    default:
      event.state satisfies never;
  }
}

function scopeOf({ namespaced }: ResourceType, namespace: string | undefined): SearchedScope {
  if (!namespaced) return { in: 'cluster' };
  return namespace === undefined ? { in: 'everywhere' } : { in: 'namespace', namespace };
}

function reportBack(notice: ResolveContext['notice']): void {
  notice({ code: 'cluster-back', data: {} });
}

/** The user must renew credentials and needs to know how. Other failures heal without help. */
function reasonOf(
  error: KubeErrorLike | undefined,
  cluster: ClusterName,
): { readonly why?: Why; readonly cause?: CodedError } {
  if (error === undefined) return {};
  if (error.kind !== 'unauthorized' && error.kind !== 'credentials') return { why: whyOf(error) };
  return { cause: describeKubeError(error, cluster) };
}

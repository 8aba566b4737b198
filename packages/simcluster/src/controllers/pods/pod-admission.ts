import type { Store } from '../../store/store.ts';
import { podStatus } from '../objects.ts';

/**
 * Why a namespace rejects a pod, in the words of the API server; undefined: it accepts. The pod's account
 * must exist; of a ResourceQuota only the number of pods is checked
 * (kubernetes.io/docs/reference/access-authn-authz/admission-controllers).
 */
export function podRefusal(
  store: Store,
  namespace: string,
  name: string,
  spec: object | undefined,
): string | undefined {
  const account = (spec as { serviceAccountName?: unknown } | undefined)?.serviceAccountName ?? 'default';
  // The account for pods that name none follows its namespace at once.
  if (account !== 'default' && store.get('serviceaccounts', namespace, String(account)) === undefined)
    return `pods ${JSON.stringify(name)} is forbidden: error looking up service account ${namespace}/${account}: serviceaccount ${JSON.stringify(account)} not found`;
  for (const quota of store.list('resourcequotas', namespace)) {
    const hard = (quota.spec?.hard ?? {}) as Readonly<Record<string, unknown>>;
    for (const resource of ['pods', 'count/pods']) {
      if (hard[resource] === undefined) continue;
      const limit = Number(hard[resource]);
      // Those that have ended take no room; as objects they are still there.
      const used = store
        .list('pods', namespace)
        .filter(
          (pod) => resource !== 'pods' || !['Succeeded', 'Failed'].includes(podStatus(pod).phase ?? ''),
        );
      if (used.length + 1 <= limit) continue;
      return `pods ${JSON.stringify(name)} is forbidden: exceeded quota: ${quota.metadata.name}, requested: ${resource}=1, used: ${resource}=${used.length}, limited: ${resource}=${limit}`;
    }
  }
  return undefined;
}

import type { Store } from '../store.ts';
import { podStatus } from './objects.ts';

/**
 * Why a namespace takes no pod more, in the words of the API server; undefined: it does. Of a ResourceQuota the number
 * of pods is what counts here (kubernetes.io/docs/concepts/policy/resource-quotas).
 */
export function podRefusal(store: Store, namespace: string, name: string): string | undefined {
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

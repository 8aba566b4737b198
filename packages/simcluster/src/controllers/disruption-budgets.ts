import type { StoredObject } from '../store/store.ts';
import type { Cluster } from './cluster.ts';
import { isPodReady, timeText } from './objects.ts';
import { reconcileOn, writeStatus } from './reconcile.ts';
import { selects } from './selects.ts';

const RESOURCE = 'poddisruptionbudgets.policy';

/** Counts how many pods a budget allows to disrupt (kubernetes.io/docs/tasks/run-application/configure-pdb). */
export function startDisruptionBudgets(cluster: Cluster): void {
  const { store, queue } = cluster;
  reconcileOn(cluster, { resource: RESOURCE, kind: 'PodDisruptionBudget', children: [] }, (budget) =>
    reconcile(cluster, budget),
  );
  store.subscribe('pods', ({ object }) => {
    const { namespace } = object.metadata;
    for (const budget of store.list(RESOURCE, namespace)) {
      if (!selects(budget, object)) continue;
      const { name } = budget.metadata;
      queue.add(`budget/${namespace}/${name}`, () => {
        const current = store.get(RESOURCE, namespace, name);
        if (current !== undefined) reconcile(cluster, current);
      });
    }
  });
}

function reconcile(cluster: Cluster, budget: StoredObject): void {
  const pods = cluster.store
    .list('pods', budget.metadata.namespace)
    .filter((pod) => selects(budget, pod) && pod.metadata.deletionTimestamp === undefined);
  const expectedPods = pods.length;
  const currentHealthy = pods.filter(isPodReady).length;
  const { minAvailable, maxUnavailable } = budget.spec ?? {};
  const desiredHealthy =
    maxUnavailable === undefined
      ? amount(minAvailable ?? 1, expectedPods)
      : Math.max(0, expectedPods - amount(maxUnavailable, expectedPods));
  const disruptionsAllowed = expectedPods === 0 ? 0 : Math.max(0, currentHealthy - desiredHealthy);
  const isAllowed = disruptionsAllowed > 0;
  const status = isAllowed ? 'True' : 'False';
  const before = (budget.status?.conditions as readonly Record<string, string>[] | undefined)?.[0];
  writeStatus(cluster, RESOURCE, budget, {
    observedGeneration: budget.metadata.generation ?? 1,
    disruptionsAllowed,
    currentHealthy,
    desiredHealthy,
    expectedPods,
    conditions: [
      {
        type: 'DisruptionAllowed',
        status,
        observedGeneration: budget.metadata.generation ?? 1,
        lastTransitionTime:
          before?.status === status ? before.lastTransitionTime : timeText(cluster.clock.now()),
        reason: isAllowed ? 'SufficientPods' : 'InsufficientPods',
        message: '',
      },
    ],
  });
}

/** Returns a number, or a percentage of all, rounded up. */
function amount(value: unknown, all: number): number {
  if (typeof value === 'number') return value;
  const percent = /^(\d+)%$/.exec(String(value))?.[1];
  return percent === undefined ? 0 : Math.ceil((Number(percent) * all) / 100);
}

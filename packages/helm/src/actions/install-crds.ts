import type { ResourceType } from '@logtool/kube/src/client.ts';
import { applyTarget } from '../apply/apply-target.ts';
import type { ClusterObject } from '../apply/cluster-object.ts';
import { readLive } from '../apply/ownership.ts';
import { resolveTargets, type Target } from '../apply/target.ts';
import { exists, waitFor } from '../apply/wait.ts';
import type { Chart } from '../chart/chart.ts';
import type { ChartWork } from '../render/chart-work.ts';
import type { ActionContext } from './action.ts';

/**
 * Returns the definitions in `crds/` of a chart and of its sub-charts. They are not templates, so they are not
 * rendered.
 */
export async function crdTargets(
  charts: ChartWork,
  chart: Chart,
  types: readonly ResourceType[],
  namespace: string,
): Promise<readonly Target[]> {
  const own: ClusterObject[] = [];
  for (const { name, data } of chart.files)
    if (/^crds\/.*\.(ya?ml|json)$/i.test(name))
      own.push(...(await charts.readObjects(Buffer.from(data).toString('utf8'))));
  const targets = [...resolveTargets(own, types, namespace)];
  for (const dependency of chart.dependencies)
    targets.push(...(await crdTargets(charts, dependency, types, namespace)));
  return targets;
}

/**
 * Installs missing definitions, waits until they are established, and returns them. Does not change existing
 * ones: https://helm.sh/docs/chart_best_practices/custom_resource_definitions/
 */
export async function installCrds(
  context: ActionContext,
  crds: readonly Target[],
  timeoutMs: number,
): Promise<readonly Target[]> {
  const { client, clock, signal, onProgress } = context;
  const made: Target[] = [];
  for (const target of crds) {
    if ((await readLive(client, target, { signal })) !== undefined) continue;
    await applyTarget(client, target, undefined, { signal });
    onProgress?.({ kind: 'applied', target });
    made.push(target);
  }
  await waitFor(client, made, exists, { clock, timeoutMs, signal });
  return made;
}

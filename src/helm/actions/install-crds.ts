import type { ResourceType } from '../../kube/client.ts';
import { applyTarget } from '../apply/apply-target.ts';
import { readLive } from '../apply/ownership.ts';
import { readManifest } from '../apply/read-manifest.ts';
import { resolveTargets, type Target } from '../apply/target.ts';
import { isThere, waitFor } from '../apply/wait.ts';
import type { Chart } from '../chart/chart.ts';
import type { ActionContext } from './action.ts';

/** The definitions in `crds/` of a chart and of the charts in it, as they are: they are no templates. */
export function crdTargets(
  chart: Chart,
  types: readonly ResourceType[],
  namespace: string,
): readonly Target[] {
  const own = chart.files
    .filter(({ name }) => /^crds\/.*\.(ya?ml|json)$/i.test(name))
    .flatMap(({ data }) => readManifest(Buffer.from(data).toString('utf8')));
  const inner = chart.dependencies.flatMap((dependency) => crdTargets(dependency, types, namespace));
  return [...resolveTargets(own, types, namespace), ...inner];
}

/**
 * Installs definitions that are not there, waits until they are established, and gives them. One that is there stays as
 * it is: https://helm.sh/docs/chart_best_practices/custom_resource_definitions/
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
  await waitFor(client, made, isThere, { clock, timeoutMs, signal });
  return made;
}

import type { ResourceType } from '@logtool/kube/src/client.ts';
import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import type { ClusterObject } from '../apply/cluster-object.ts';
import { markOwned } from '../apply/ownership.ts';
import { readManifest } from '../apply/read-manifest.ts';
import { findType, resolveTargets, type Target } from '../apply/target.ts';
import type { Chart } from '../chart/chart.ts';
import { helmFailure } from '../failures.ts';
import type { Release } from '../release/release.ts';
import { capabilitiesOf } from '../render/capabilities.ts';
import type { ValueMap } from '../value/value.ts';
import { type ChartActionContext, timeText } from './action.ts';
import { clusterLookup } from './cluster-lookup.ts';

/** The result of rendering a chart for a release: the revision to record, and its objects. */
export interface Prepared {
  readonly release: Release;
  readonly targets: readonly Target[];
}

export interface PrepareInput {
  readonly name: string;
  readonly namespace: string;
  readonly revision: number;
  readonly chart: Chart;
  readonly values: ValueMap;
  readonly types: readonly ResourceType[];
  readonly isUpgrade: boolean;
  readonly subNotes?: boolean | undefined;
  readonly firstDeployed?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/** Renders a chart as a pending revision, with the capabilities of the cluster. Changes nothing. */
export async function prepare(context: ChartActionContext, input: PrepareInput): Promise<Prepared> {
  const { name, namespace, revision, chart, values, types, isUpgrade, subNotes } = input;
  const version = await context.client.version({ signal: context.signal });
  const rendered = await context.charts.render(
    {
      name,
      namespace,
      revision,
      isUpgrade,
      chart,
      values,
      subNotes,
      capabilities: capabilitiesOf(version, types),
      nowMs: context.clock.now(),
    },
    clusterLookup(context, types),
  );
  const now = timeText(context.clock);
  const release: Release = {
    name,
    namespace,
    version: revision,
    info: {
      firstDeployed: input.firstDeployed ?? now,
      lastDeployed: now,
      description: isUpgrade ? 'Preparing upgrade' : 'Initial install underway',
      status: isUpgrade ? 'pending-upgrade' : 'pending-install',
      notes: rendered.notes,
    },
    chart: rendered.chart,
    config: values,
    manifest: rendered.manifest,
    hooks: rendered.hooks,
    applyMethod: 'ssa',
    labels: input.labels ?? {},
  };
  return { release, targets: ownTargets(release, types, rendered.objects) };
}

/**
 * Returns the objects of a revision, marked as owned by the release. `objects`: its manifest, if already parsed.
 * @throws CodedError `kind-unknown`, `object-unnamed`
 */
export function ownTargets(
  release: Release,
  types: readonly ResourceType[],
  objects: readonly ClusterObject[] = readManifest(release.manifest),
): readonly Target[] {
  const targets = resolveTargets(objects, types, release.namespace);
  const unnamed = targets.find(({ object }) => object.name === '');
  if (unnamed !== undefined) throw nameless(unnamed);
  for (const target of targets) markOwned(target, release);
  return targets;
}

/** As in Helm: without a name, Helm could not find the object again to change or delete it. */
function nameless({ object }: Target): CodedError {
  return helmFailure('object-unnamed', { kind: object.kind });
}

/** Returns the objects of an older revision, except kinds that the cluster no longer serves: those objects are gone. */
export function knownTargets(release: Release, types: readonly ResourceType[]): readonly Target[] {
  const objects = readManifest(release.manifest).filter((object) => findType(types, object) !== undefined);
  return resolveTargets(objects, types, release.namespace);
}

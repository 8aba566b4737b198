import { NAMESPACES } from '@logtool/kube/src/builtin-resources.ts';
import type { ResourceType } from '@logtool/kube/src/client.ts';
import { isAbsentObject, isKubeError, KubeError } from '@logtool/kube/src/errors.ts';
import { namespaceLeaving } from '@logtool/kube/src/failure/describe-forbidden.ts';
import { type LiveTargets, readOwned } from '../apply/ownership.ts';
import { type Target, targetText } from '../apply/target.ts';
import type { Chart } from '../chart/chart.ts';
import { helmFailure, type Leftover } from '../failures.ts';
import { type Right, rightsToApply, rightsToDelete } from '../preflight/check-rights.ts';
import { rightsToGrant } from '../preflight/rights-to-grant.ts';
import type { Release } from '../release/release.ts';
import type { ValueMap } from '../value/value.ts';
import {
  type ActionContext,
  type ChangeOptions,
  type ChartActionContext,
  readTypes,
  withStatus,
} from './action.ts';
import { checkBeforehand } from './check-beforehand.ts';
import { comingTypes, isDefined, readTypesWith } from './crd-types.ts';
import { crdTargets, installCrds } from './install-crds.ts';
import { type Prepared, prepare } from './prepare.ts';
import { uncut } from './record-end.ts';
import { cannotGoOn, checkNamespace, checkReleaseName, startAnew } from './release-state.ts';
import { revise } from './revise.ts';
import { takeAway } from './take-back.ts';

export interface InstallOptions extends ChangeOptions {
  readonly name: string;
  readonly namespace: string;
  readonly chart: Chart;
  readonly values: ValueMap;
  /** Create the namespace if missing. */
  readonly createNamespace: boolean;
  /** Remove everything again if the installation fails. */
  readonly atomic: boolean;
  /** Render the objects to install, and change nothing. */
  readonly dryRun: boolean;
  /** Include the notes of sub-charts. */
  readonly subNotes?: boolean | undefined;
}

const EVENTS = ['pre-install', 'post-install'] as const;

/**
 * Installs a chart as a release, as `helm install` does: https://helm.sh/docs/helm/helm_install/
 * It makes every check that can refuse the installation before the first change.
 * @throws CodedError `release-exists`, `not-owned`, `rights-missing`, `pod-security`, `release-too-large`, and what rendering, applying
 * and waiting throw; KubeError.
 */
export async function install(context: ChartActionContext, options: InstallOptions): Promise<Release> {
  checkReleaseName(options.name);
  checkNamespace(options.namespace);
  if (!options.dryRun) await checkNotInstalled(context, options);
  const plan = await planInstall(context, options);
  if (options.dryRun) return withStatus(plan.prepared.release, 'pending-install', 'Dry run complete');
  context.storage.checkSize(plan.prepared.release);
  const hasNamespace = await namespaceExists(context, options.namespace);
  if (!hasNamespace && !options.createNamespace)
    throw helmFailure('namespace-not-found', { namespace: options.namespace });
  const live = await checkInstall(context, options, plan, hasNamespace);

  const { made, types, prepared } = await makeGround(context, options, plan, hasNamespace);
  const revised = await revise(
    context,
    {
      release: prepared.release,
      wanted: prepared.targets,
      before: [],
      live,
      types,
      hooks: EVENTS,
      action: { kind: 'installation', name: options.name },
      again: options.atomic ? 'install' : 'upgrade',
      remedy: startAnew(options),
      complete: (changed) => complete(context, changed),
    },
    options,
  );
  if (revised.state === 'deployed') return revised.release;
  if (!options.atomic || context.signal?.aborted) throw revised.failure;
  throw await takeAway(context, options, revised.failure, made);
}

async function checkNotInstalled(context: ActionContext, options: InstallOptions): Promise<void> {
  const history = await context.storage.history(options.namespace, options.name, context);
  const last = history.at(-1);
  if (last !== undefined) throw cannotGoOn(context, 'install', history, last);
}

/** The plan of an installation, made before the first change. */
interface InstallPlan {
  readonly prepared: Prepared;
  /** Definitions of kinds that the chart adds and the cluster lacks. */
  readonly crds: readonly Target[];
  /** The kinds that `crds` define. */
  readonly coming: readonly ResourceType[];
  /** All kinds: those that the cluster already serves, and `coming`. */
  readonly types: readonly ResourceType[];
}

async function planInstall(context: ChartActionContext, options: InstallOptions): Promise<InstallPlan> {
  const { chart, namespace } = options;
  const served = await readTypes(context);
  const brought = await crdTargets(context.charts, chart, served, namespace);
  const crds = brought.filter((crd) => !isDefined(crd, served));
  const coming = comingTypes(crds, served);
  const types = [...served, ...coming];
  return { prepared: await prepareInstall(context, options, types), crds, coming, types };
}

function prepareInstall(
  context: ChartActionContext,
  options: InstallOptions,
  types: readonly ResourceType[],
): Promise<Prepared> {
  return prepare(context, { ...options, revision: 1, types, isUpgrade: false });
}

/** Inspects which objects exist, and checks every permission that the installation needs. */
function checkInstall(
  context: ActionContext,
  options: InstallOptions,
  { prepared: { release, targets }, types, crds, coming }: InstallPlan,
  hasNamespace: boolean,
): Promise<LiveTargets> {
  // Kinds that the chart's own definitions add cannot have objects yet.
  const present = targets.filter(({ type }) => !coming.includes(type));
  const records = ['list', 'create', 'update', ...(options.atomic ? ['delete'] : [])];
  const reading = { signal: context.signal, skipsForbidden: options.preflight !== false };
  return checkBeforehand(
    context,
    options,
    { release, types, hooks: EVENTS, records, applied: targets },
    () => readOwned(context.client, present, options, reading),
    (found): readonly Right[] => [
      ...(hasNamespace ? [] : [{ verb: 'create', type: NAMESPACES }]),
      ...rightsToApply(crds, () => false),
      ...rightsToApply(targets, (target) => found?.get(target) !== undefined),
      ...rightsToGrant(targets),
      ...(options.atomic ? rightsToDelete(targets) : []),
    ],
  );
}

/** What exists before the release's own objects, and the chart rendered with it in place. */
interface Ground {
  /** Created objects that no uninstallation removes. */
  readonly made: readonly Leftover[];
  readonly types: readonly ResourceType[];
  readonly prepared: Prepared;
}

/** Creates the namespace and the definitions that a release needs. */
async function makeGround(
  context: ChartActionContext,
  options: InstallOptions,
  { prepared, crds, coming, types }: InstallPlan,
  hasNamespace: boolean,
): Promise<Ground> {
  const { namespace, timeoutMs } = options;
  const isMade = !hasNamespace && (await createNamespace(context, namespace));
  const made: Leftover[] = isMade ? [{ kind: 'namespace', name: namespace }] : [];
  if (crds.length === 0) return { made, types, prepared };
  for (const crd of await installCrds(context, crds, timeoutMs))
    made.push({ kind: 'definition', object: targetText(crd) });
  const served = await readTypesWith(context, coming, timeoutMs);
  return { made, types: served, prepared: await prepareInstall(context, options, served) };
}

async function complete({ storage }: ActionContext, changed: Release): Promise<Release> {
  const deployed = withStatus(changed, 'deployed', 'Install complete');
  await storage.update(deployed, uncut());
  return deployed;
}

async function namespaceExists({ client, signal }: ActionContext, name: string): Promise<boolean> {
  try {
    const { metadata } = await client.get(NAMESPACES, { name }, { signal });
    if (metadata.deletionTimestamp !== undefined) throw namespaceLeaving(name);
    return true;
  } catch (error) {
    if (isAbsentObject(error)) return false;
    // A user without permission to read namespaces may still work in one.
    if (isKubeError(error, 'forbidden')) return true;
    throw error;
  }
}

/** Returns false if another client created the namespace meanwhile. */
async function createNamespace(
  { client, signal, onProgress }: ActionContext,
  name: string,
): Promise<boolean> {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: { name } } };
  try {
    await client.create(NAMESPACES, undefined, namespace, { signal });
  } catch (error) {
    if (error instanceof KubeError && error.reason === 'AlreadyExists') return false;
    throw error;
  }
  onProgress?.({ kind: 'created-namespace', name });
  return true;
}

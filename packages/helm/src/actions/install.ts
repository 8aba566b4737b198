import { NAMESPACES } from '@logtool/kube/src/builtin-resources.ts';
import { isAbsentObject, isKubeError, KubeError } from '@logtool/kube/src/errors.ts';
import { namespaceLeaving } from '@logtool/kube/src/failure/describe-forbidden.ts';
import { LogtoolError } from '@logtool/kube/src/values/errors.ts';
import { readOwned } from '../apply/ownership.ts';
import { targetText } from '../apply/target.ts';
import type { Chart } from '../chart/chart.ts';
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
import { cannotGoOn, checkNamespace, checkReleaseName, startAnew } from './mend.ts';
import { type Prepared, prepare } from './prepare.ts';
import { uncut } from './record-end.ts';
import { revise } from './revise.ts';
import { takeAway } from './take-back.ts';

export interface InstallOptions extends ChangeOptions {
  readonly name: string;
  readonly namespace: string;
  readonly chart: Chart;
  readonly values: ValueMap;
  /** Make the namespace where it is not there. */
  readonly createNamespace: boolean;
  /** Take everything away again when the installation fails. */
  readonly atomic: boolean;
  /** Say what would be installed, and change nothing. */
  readonly dryRun: boolean;
  readonly skipCrds?: boolean | undefined;
  /** The notes of sub-charts, too. */
  readonly subNotes?: boolean | undefined;
}

const EVENTS = ['pre-install', 'post-install'] as const;

/**
 * Makes a release out of a chart, as `helm install` does: https://helm.sh/docs/helm/helm_install/
 * Everything that can be refused is refused before anything is changed.
 * @throws LogtoolError `release-exists`, `not-owned`, `rights-missing`, `release-too-large`, and what rendering,
 * applying and waiting throw; KubeError.
 */
export async function install(context: ChartActionContext, options: InstallOptions): Promise<Release> {
  const { name, namespace, chart } = options;
  checkReleaseName(name);
  checkNamespace(namespace);
  if (!options.dryRun) {
    const history = await context.storage.history(namespace, name, context);
    const last = history.at(-1);
    if (last !== undefined) throw cannotGoOn(context, 'installed', history, last);
  }

  const served = await readTypes(context);
  const brought = options.skipCrds === true ? [] : await crdTargets(context.charts, chart, served, namespace);
  const crds = brought.filter((crd) => !isDefined(crd, served));
  const coming = comingTypes(crds, served);
  let types = [...served, ...coming];
  let prepared = await prepareWith(types);
  if (options.dryRun) return withStatus(prepared.release, 'pending-install', 'Dry run complete');
  context.storage.checkSize(prepared.release);
  const hasNamespace = await namespaceExists(context, namespace);
  if (!hasNamespace && !options.createNamespace) throw noNamespace(namespace);
  const { targets } = prepared;
  // Of a kind that its own definitions bring along nothing can be there yet.
  const present = targets.filter(({ type }) => !coming.includes(type));
  const live = await checkBeforehand(
    context,
    options,
    {
      release: prepared.release,
      types,
      hooks: EVENTS,
      records: ['list', 'create', 'update', ...(options.atomic ? ['delete'] : [])],
    },
    () =>
      readOwned(context.client, present, options, {
        signal: context.signal,
        skipsForbidden: options.preflight !== false,
      }),
    (found): readonly Right[] => [
      ...(hasNamespace ? [] : [{ verb: 'create', type: NAMESPACES }]),
      ...rightsToApply(crds, () => false),
      ...rightsToApply(targets, (target) => found?.get(target) !== undefined),
      ...rightsToGrant(targets),
      ...(options.atomic ? rightsToDelete(targets) : []),
    ],
  );

  /** What no uninstallation takes away. */
  const made: string[] = [];
  if (!hasNamespace && (await createNamespace(context, namespace))) made.push(`the namespace ${namespace}`);
  if (crds.length > 0) {
    made.push(...(await installCrds(context, crds, options.timeoutMs)).map(targetText));
    types = [...(await readTypesWith(context, coming, options.timeoutMs))];
    prepared = await prepareWith(types);
  }
  const revised = await revise(
    context,
    {
      ...prepared,
      wanted: prepared.targets,
      before: [],
      live,
      types,
      hooks: EVENTS,
      title: `the installation of ${name}`,
      again: options.atomic ? 'install' : 'upgrade',
      mend: startAnew(context.client, options),
      complete: async (changed) => {
        const deployed = withStatus(changed, 'deployed', 'Install complete');
        await context.storage.update(deployed, uncut());
        return deployed;
      },
    },
    options,
  );
  if (revised.state === 'deployed') return revised.release;
  if (!options.atomic || context.signal?.aborted) throw revised.failure;
  throw await takeAway(context, options, revised.failure, made);

  function prepareWith(known: typeof types): Promise<Prepared> {
    return prepare(context, { ...options, revision: 1, types: known, isUpgrade: false });
  }
}

async function namespaceExists({ client, signal }: ActionContext, name: string): Promise<boolean> {
  try {
    const { metadata } = await client.get(NAMESPACES, { name }, { signal });
    if (metadata.deletionTimestamp !== undefined) throw namespaceLeaving(name);
    return true;
  } catch (error) {
    if (isAbsentObject(error)) return false;
    // Whoever may not look at namespaces may still work in one.
    if (isKubeError(error, 'forbidden')) return true;
    throw error;
  }
}

/** False: somebody else made it meanwhile. */
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

function noNamespace(namespace: string): LogtoolError {
  return new LogtoolError({
    code: 'namespace-not-found',
    what: `there is no namespace ${namespace}`,
    next: `make it with: kubectl create namespace ${namespace}; or leave --no-create-namespace out`,
  });
}

import { driverFrom } from '@logtool/helm/src/release/driver.ts';
import { repositoryPaths } from '@logtool/helm/src/repository/paths.ts';
import { CONFIG_MAPS, NODES, PODS, SECRETS } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeObject } from '@logtool/kube/src/client.ts';
import { loadKubeconfig } from '@logtool/kube/src/config/load.ts';
import { locateKubeconfigs } from '@logtool/kube/src/config/locate.ts';
import { COLUMN_NAMES } from '../../domain/columns.ts';
import { readPlacement } from '../../resolve/placement/node-labels.ts';
import { CHART_REPOSITORY } from '../charts/chart-repository.ts';
import type { CliContext } from '../context.ts';
import type { Flag, Suggestion } from '../flags/flag.ts';
import type { ConnectionPlan } from '../plan/connection-plan.ts';
import type { CommandName } from '../plan/plans.ts';
import type { Settings } from '../settings/settings.ts';
import type { Candidate } from './candidate.ts';
import type { LiveCluster } from './live-cluster.ts';
import { namespaceNames } from './offer-sources.ts';

/** The settings of whichever command is being completed. */
type CompletedSettings = Settings<CommandName | ''>;

/** What finding values needs. */
export interface ValueContext {
  readonly context: CliContext;
  /** Throws CliError if the configuration is wrong. */
  readonly settings: () => Promise<CompletedSettings>;
  readonly plan: () => Promise<ConnectionPlan>;
  readonly live: () => Promise<LiveCluster>;
}

/** Returns all known values of a flag; none if it takes any text. */
export async function valuesOf(
  { value, suggests }: Flag,
  found: ValueContext,
): Promise<readonly Candidate[]> {
  if (value.kind === 'boolean') return [{ value: 'true' }, { value: 'false' }];
  if (value.kind === 'columns') return COLUMN_NAMES.map((name) => ({ value: name }));
  if (value.kind === 'choice' || (value.kind === 'list' && value.choices !== undefined))
    return (value.choices ?? []).map((choice) => ({ value: choice }));
  return suggests === undefined || suggests === 'files' || suggests === 'labels'
    ? []
    : suggested(suggests, found);
}

async function suggested(
  what: Exclude<Suggestion, 'files' | 'labels'>,
  { context, settings, plan, live }: ValueContext,
): Promise<readonly Candidate[]> {
  switch (what) {
    case 'contexts':
      return contexts(context, (await plan()).kubeconfig);
    case 'namespaces':
      return namespaceNames(await live());
    case 'pods':
      return (await live()).list(PODS, await scopeOf(settings, live), ({ metadata }) => [
        { value: metadata.name },
      ]);
    case 'containers': {
      const cluster = await live();
      return cluster.containersIn((await scopeOf(settings, live)).namespace);
    }
    case 'nodes':
      return (await live()).list(NODES, {}, ({ metadata }) => [{ value: metadata.name }]);
    case 'regions':
      return placements(await live(), 'region');
    case 'zones':
      return placements(await live(), 'zone');
    case 'os':
    case 'arch':
      return placements(await live(), what);
    case 'releases':
    case 'revisions':
      return releases(await live(), context, await settings(), what);
    case 'chart-versions':
      return chartVersions(context);
    case 'time-zones':
      return ['utc', 'local', ...Intl.supportedValuesOf('timeZone')].map((value) => ({ value }));
  }
}

/** Returns the namespace of the pods that the line means; undefined means all namespaces. */
async function scopeOf(
  settings: ValueContext['settings'],
  live: ValueContext['live'],
): Promise<{ readonly namespace: string | undefined }> {
  const given = await settings();
  if (given.value('all-namespaces')) return { namespace: undefined };
  const [first = (await live()).client.cluster.namespace, ...others] = [
    given.value('namespace') ?? [],
  ].flat();
  return { namespace: others.length > 0 ? undefined : first };
}

/** Lists contexts from the kubeconfig only, without a request to a cluster. */
async function contexts(context: CliContext, explicit: string | undefined): Promise<readonly Candidate[]> {
  const { env, homeDirectory } = context;
  const config = await loadKubeconfig(locateKubeconfigs({ explicit, env, homeDirectory }));
  return [...config.contexts].map(([name, { fields }]) => ({
    value: name,
    meaning: ['cluster', 'namespace']
      .map((field) => fields[field])
      .filter((text) => typeof text === 'string')
      .join(', '),
  }));
}

async function placements(
  cluster: LiveCluster,
  what: 'region' | 'zone' | 'os' | 'arch',
): Promise<readonly Candidate[]> {
  const read = ({ metadata }: KubeObject) => {
    const value = readPlacement(metadata.labels)[what];
    return value === undefined || value === '' ? [] : [{ value }];
  };
  return cluster.list(NODES, {}, read, what);
}

/** Lists versions from the index as last downloaded; fetches nothing. */
async function chartVersions({ env, homeDirectory }: CliContext): Promise<readonly Candidate[]> {
  const { name, chart } = CHART_REPOSITORY;
  const { cache } = repositoryPaths({ env, homeDirectory, platform: process.platform });
  // Only this completion needs the code that reads indexes.
  const { readKeptIndex } = await import('@logtool/helm/src/repository/index-cache.ts');
  const index = await readKeptIndex(cache, name);
  return (index?.charts.get(chart) ?? []).map(({ metadata, created }) => ({
    value: metadata.version,
    meaning: created === '' ? undefined : created.slice(0, 10),
  }));
}

/**
 * Lists releases by the labels that Helm sets on their records
 * (packages/helm/src/release/cluster-storage.ts).
 */
async function releases(
  cluster: LiveCluster,
  { env }: CliContext,
  settings: CompletedSettings,
  what: 'releases' | 'revisions',
): Promise<readonly Candidate[]> {
  const namespace = String(settings.value('namespace') ?? '');
  const name = settings.value('name') ?? '';
  const type = driverFrom(env.HELM_DRIVER) === 'secret' ? SECRETS : CONFIG_MAPS;
  const read = ({ metadata: { labels = {} } }: KubeObject) => {
    if (labels.name === undefined || labels.version === undefined) return [];
    if (what === 'releases') return [{ value: labels.name, meaning: `in the namespace ${namespace}` }];
    return labels.name === name ? [{ value: labels.version, meaning: labels.status }] : [];
  };
  const asked = what === 'releases' ? what : `${what} of ${name}`;
  return cluster.list(type, { namespace, labelSelector: 'owner=helm' }, read, asked);
}

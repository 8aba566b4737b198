import { checkNamespace, checkReleaseName } from '@logtool/helm/src/actions/release-state.ts';
import { type ImageReference, parseImageReference } from '@logtool/kube/src/values/image-reference.ts';
import { CHART_REPOSITORY } from '../../charts/chart-repository.ts';
import type { CliContext } from '../../context.ts';
import type { RawArguments } from '../../flags/flag.ts';
import { badValue } from '../../messages/errors.ts';
import { loadSettings } from '../../settings/load-settings.ts';
import type { Setting } from '../../settings/setting.ts';
import type { Settings } from '../../settings/settings.ts';
import { planConnection } from '../plan-connection.ts';
import { planProgram } from '../plan-program.ts';
import type {
  ChangePlan,
  ChartPlan,
  ClusterCommand,
  ClusterPlan,
  ExistingPlan,
  ImagePlan,
  InstallPlan,
  ListPlan,
  ReleasePlan,
  RollbackPlan,
  ShowPlan,
  UninstallPlan,
  UpgradePlan,
  ValuesPlan,
} from './cluster-plans.ts';
import { repositoryAddress } from './plan-repository.ts';

type World = Pick<CliContext, 'env' | 'files' | 'homeDirectory' | 'workingDirectory'>;
type Charting = 'cluster install' | 'cluster upgrade';
type Existing = 'cluster upgrade' | 'cluster rollback' | 'cluster uninstall';
type Changing = 'cluster install' | Existing;
type Naming = Changing | 'cluster status' | 'cluster history';

export async function planInstall(context: World, raw: RawArguments): Promise<InstallPlan> {
  const settings = await loadSettings(context, 'cluster install', raw);
  return {
    ...planChange(context, raw, settings),
    ...planChart(settings),
    createNamespace: settings.value('create-namespace'),
  };
}

export async function planUpgrade(context: World, raw: RawArguments): Promise<UpgradePlan> {
  const settings = await loadSettings(context, 'cluster upgrade', raw);
  return {
    ...planExisting(context, raw, settings),
    ...planChart(settings),
    historyMax: settings.value('history-max'),
    resetValues: settings.value('reset-values'),
  };
}

export async function planRollback(context: World, raw: RawArguments): Promise<RollbackPlan> {
  const settings = await loadSettings(context, 'cluster rollback', raw);
  return {
    ...planExisting(context, raw, settings),
    revision: settings.value('revision'),
    historyMax: settings.value('history-max'),
  };
}

export async function planUninstall(context: World, raw: RawArguments): Promise<UninstallPlan> {
  const settings = await loadSettings(context, 'cluster uninstall', raw);
  return { ...planExisting(context, raw, settings), keepHistory: settings.value('keep-history') };
}

export async function planList(context: World, raw: RawArguments): Promise<ListPlan> {
  const settings = await loadSettings(context, 'cluster list', raw);
  const namespace = settings.value('namespace');
  if (namespace !== undefined) checkNamespace(namespace);
  return {
    ...planCluster(context, raw, settings),
    namespace,
    all: settings.value('all'),
    output: settings.value('output'),
  };
}

export async function planShow(
  context: World,
  raw: RawArguments,
  command: 'cluster status' | 'cluster history',
): Promise<ShowPlan> {
  const settings = await loadSettings(context, command, raw);
  return { ...planRelease(context, raw, settings), output: settings.value('output') };
}

function planCluster(context: World, raw: RawArguments, settings: Settings<ClusterCommand>): ClusterPlan {
  return { connection: planConnection(settings, context), debug: planProgram(context, raw).debug };
}

function planRelease(context: World, raw: RawArguments, settings: Settings<Naming>): ReleasePlan {
  const namespace = settings.value('namespace');
  const name = settings.value('name');
  // Checks these before any request, and before adding a repository.
  checkReleaseName(name);
  checkNamespace(namespace);
  return { ...planCluster(context, raw, settings), name, namespace };
}

function planChange(context: World, raw: RawArguments, settings: Settings<Changing>): ChangePlan {
  return {
    ...planRelease(context, raw, settings),
    wait: settings.value('wait'),
    timeoutMs: settings.value('timeout'),
    dryRun: settings.value('dry-run'),
    preflight: !settings.value('skip-preflight'),
  };
}

function planExisting(context: World, raw: RawArguments, settings: Settings<Existing>): ExistingPlan {
  return {
    ...planChange(context, raw, settings),
    onlyChart: settings.value('any-chart') ? undefined : CHART_REPOSITORY.chart,
  };
}

function planChart(settings: Settings<Charting>): ChartPlan {
  return {
    chart: settings.value('chart'),
    chartVersion: settings.value('version'),
    offline: settings.value('repo-offline'),
    values: planValues(settings),
    image: planImage(settings),
    agent: settings.first('agent') === undefined ? undefined : settings.value('agent'),
    subNotes: settings.value('render-subchart-notes'),
    atomic: settings.value('atomic'),
    repositoryUrl: repositoryAddress(settings),
  };
}

function planValues(settings: Settings<Charting>): ValuesPlan {
  // Helm's order of the kinds, whatever the order on the command line: JSON, then plain, then texts.
  const kinds = ['set-json', 'set', 'set-string'] as const;
  return {
    files: settings.value('values'),
    sets: kinds.flatMap((kind) => settings.value(kind).map((text) => ({ kind, text }))),
  };
}

/** Throws CliError `bad-image`, `bad-choice` (usage). */
function planImage(settings: Settings<'cluster install' | 'cluster upgrade'>): ImagePlan {
  const image = settings.first('image');
  return {
    reference: image === undefined ? undefined : readReference(image),
    pullPolicy: settings.value('image-pull-policy'),
  };
}

function readReference(setting: Setting): ImageReference {
  const parsed = parseImageReference(setting.value ?? '');
  if (!('problem' in parsed)) return parsed;
  throw badValue('bad-image', setting, parsed);
}

import { checkNamespace, checkReleaseName } from '@logtool/helm/src/actions/mend.ts';
import { CHART_REPOSITORY } from '@logtool/helm/src/repository/chart-repository.ts';
import { parseDuration } from '../../domain/duration.ts';
import type { CliContext } from '../context.ts';
import { readDebug } from '../debug.ts';
import type { RawArguments } from '../flags/flag.ts';
import { type ConnectionPlan, planConnection } from './connection.ts';
import { type ImagePlan, planImage } from './image-plan.ts';
import { loadSettings } from './load-settings.ts';
import { OUTPUT_KINDS, type OutputKind } from './output-kind.ts';
import { repositoryAddress } from './repository-plan.ts';
import type { Settings } from './settings.ts';
import { badValue, readBoolean, readChoice, readOptionalCount, readText } from './values.ts';

/** Where a value of a chart comes from, in the order in which Helm lets them win. */
export interface ValuesPlan {
  readonly files: readonly string[];
  readonly sets: readonly { readonly kind: 'set' | 'set-string' | 'set-json'; readonly text: string }[];
}

/** What a `cluster` command was asked for; each reads what its flags can say. */
export interface ClusterPlan {
  readonly connection: ConnectionPlan;
  readonly debug: boolean;
  readonly name: string;
  /** Undefined: all, where the command can work on all. */
  readonly namespace: string | undefined;
  /** List the releases of every chart, not only logtool's own. */
  readonly all: boolean;
  /** The only chart whose releases may be changed; undefined: any. */
  readonly onlyChart: string | undefined;
  readonly createNamespace: boolean;
  readonly revision: number | undefined;
  readonly keepHistory: boolean;
  readonly historyMax: number | undefined;
  readonly wait: boolean;
  readonly timeoutMs: number;
  readonly atomic: boolean;
  readonly dryRun: boolean;
  readonly preflight: boolean;
  readonly output: OutputKind;
  readonly chart: string | undefined;
  readonly chartVersion: string | undefined;
  readonly offline: boolean;
  readonly values: ValuesPlan;
  readonly image: ImagePlan;
  readonly resetValues: boolean;
  readonly subNotes: boolean;
  /** Address of logtool's chart repository. */
  readonly repositoryUrl: string;
}

const DEFAULT_NAME = 'logtool';
const DEFAULT_TIMEOUT_MS = 300_000;

export async function planCluster(
  context: Pick<CliContext, 'env' | 'files' | 'homeDirectory' | 'workingDirectory'>,
  raw: RawArguments,
): Promise<ClusterPlan> {
  const settings = await loadSettings(context, raw);
  const output = settings.first('output');
  const namespace =
    readText(settings, 'namespace', 'NAME') ?? (raw.command === 'cluster list' ? undefined : DEFAULT_NAME);
  const name = readText(settings, 'name', 'NAME') ?? DEFAULT_NAME;
  // Before anything is asked for, and a repository added.
  checkReleaseName(name);
  if (namespace !== undefined) checkNamespace(namespace);
  return {
    connection: planConnection(settings, context),
    debug: readDebug(context, raw),
    name,
    namespace,
    all: readBoolean(settings, 'all'),
    onlyChart: readBoolean(settings, 'any-chart') ? undefined : CHART_REPOSITORY.chart,
    createNamespace: readBoolean(settings, 'create-namespace', true),
    revision: readOptionalCount(settings, 'revision'),
    keepHistory: readBoolean(settings, 'keep-history'),
    historyMax: readOptionalCount(settings, 'history-max'),
    wait: readBoolean(settings, 'wait', true),
    timeoutMs: readTimeout(settings),
    atomic: readBoolean(settings, 'atomic'),
    dryRun: readBoolean(settings, 'dry-run'),
    preflight: !readBoolean(settings, 'skip-preflight'),
    output: output === undefined ? 'table' : readChoice(output, OUTPUT_KINDS),
    chart: readText(settings, 'chart', 'PATH'),
    // Not the program's own --version, which has no value.
    chartVersion: readText(settings, 'version', 'RANGE'),
    offline: readBoolean(settings, 'repo-offline'),
    values: planValues(settings),
    image: planImage(settings),
    resetValues: readBoolean(settings, 'reset-values'),
    subNotes: readBoolean(settings, 'render-subchart-notes'),
    repositoryUrl: repositoryAddress(context.env, settings),
  };
}

function planValues(settings: Settings): ValuesPlan {
  // Helm's order among the kinds, whatever their order on the command line: JSON, then plain, then texts.
  const kinds = ['set-json', 'set', 'set-string'] as const;
  return {
    files: settings.allGiven('values').map(({ value }) => value ?? ''),
    sets: kinds.flatMap((kind) => settings.allGiven(kind).map(({ value }) => ({ kind, text: value ?? '' }))),
  };
}

function readTimeout(settings: Settings): number {
  const setting = settings.first('timeout');
  if (setting === undefined) return DEFAULT_TIMEOUT_MS;
  const parsed = parseDuration(setting.value ?? '');
  if (parsed.kind === 'duration')
    return parsed.duration.seconds * 1000 + Math.floor(parsed.duration.nanos / 1e6);
  throw badValue(
    'bad-duration',
    setting,
    'it is not a length of time',
    `write ${setting.written}=5m or =90s`,
  );
}

import type { KubeClient } from '@logtool/kube/src/client.ts';
import { formatTimestamp, type Timestamp, timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import type { FilterPlan } from '../../domain/filter.ts';
import type { FactQuery } from '../../happenings/fact-feed.ts';
import type { SourcePlan } from '../../resolve/resolve.ts';
import { readSources } from '../../resolve/sources/read-sources.ts';
import { guardNamespaces } from '../../server/security/guard-namespaces.ts';
import type { EnginePlan } from '../../stream/plan/engine.ts';
import type { FlagUse } from '../flags/flag.ts';
import { readRange } from '../plan/logs/bounds.ts';
import type { CountPlan } from '../plan/logs/logs-plan.ts';
import { planCount } from '../plan/logs/plan-count.ts';
import { planFilter } from '../plan/logs/plan-filter.ts';
import { planOutput } from '../plan/logs/plan-output.ts';
import { planSource } from '../plan/logs/plan-source.ts';
import { planWindow } from '../plan/logs/plan-window.ts';
import { mergeSettings, type Settings } from '../settings/settings.ts';
import type { McpReader } from './reader.ts';

/** The arguments that select containers and records, shared by several tools. */
export interface ReadArguments {
  readonly source: string | readonly string[];
  readonly all_containers?: boolean | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly grep?: string | undefined;
  readonly exclude?: string | undefined;
  readonly ignore_case?: boolean | undefined;
  readonly level?: string | readonly string[] | undefined;
}

export interface ReadPlan {
  readonly source: SourcePlan;
  readonly engine: EnginePlan;
}

export interface PageRequest {
  /** Records, from the end that is read first. */
  readonly count: number;
  readonly end: 'head' | 'tail';
  /** Omits earlier records, whatever the arguments say. */
  readonly from?: Timestamp | undefined;
  /** Omits later records. */
  readonly to?: Timestamp | undefined;
}

/** Containers that one call reads at once; more take turns. */
const MAX_LOG_REQUESTS = 50;

/**
 * Makes the plan of `logtool logs` for the same arguments; ignores environment and configuration file. Throws
 * usage errors whose `written` is the name of the argument.
 *
 * @param page - how many records, from which end, and between which times
 */
export async function planRead(
  reader: McpReader,
  client: KubeClient,
  given: ReadArguments,
  page: PageRequest,
): Promise<ReadPlan> {
  const flags = flagsOf(given);
  flags.set(page.end, [use('max_bytes', String(page.count))]);
  if (page.from !== undefined) flags.set('since', [use('cursor', formatTimestamp(page.from))]);
  if (page.to !== undefined) flags.set('until', [use('cursor', formatTimestamp(page.to))]);
  const settings = mergeSettings('logs', { flags }, {}, undefined);
  const { window } = planWindow(settings, reader.clock);
  const filter = await planFilter(settings, window);
  return {
    source: await sourceOf(reader, client, settings, given),
    engine: engineOf(settings, window, filter),
  };
}

/** Makes the plan of `logtool logs --count`. */
export async function planCounts(
  reader: McpReader,
  client: KubeClient,
  given: ReadArguments & { readonly bucket?: string | undefined },
): Promise<ReadPlan & { readonly count: CountPlan }> {
  const flags = flagsOf(given);
  flags.set('count', [use('count', undefined)]);
  if (given.bucket !== undefined) flags.set('bucket', [use('bucket', given.bucket)]);
  const settings = mergeSettings('logs', { flags }, {}, undefined);
  const { window } = planWindow(settings, reader.clock);
  const filter = await planFilter(settings, window);
  const count = planCount(settings, window);
  if (count === undefined) throw new Error('a count without a plan');
  return {
    source: await sourceOf(reader, client, settings, given),
    engine: engineOf(settings, window, filter),
    count,
  };
}

/** Makes the plan of `logtool events` for the same arguments. Throws like `planRead`. */
export async function planFacts(
  reader: McpReader,
  client: KubeClient,
  given: Pick<ReadArguments, 'source' | 'since' | 'until'>,
): Promise<{ readonly source: SourcePlan; readonly query: FactQuery }> {
  const flags = flagsOf({ ...given, all_containers: true });
  const source = await sourceOf(reader, client, mergeSettings('logs', { flags }, {}, undefined), given);
  const range = readRange(
    mergeSettings('events', { flags }, {}, undefined),
    timestampFromMs(reader.clock.now()),
  );
  return { source, query: { follow: false, fold: { clock: reader.clock }, ...range } };
}

function flagsOf(given: ReadArguments): Map<string, readonly FlagUse[]> {
  const flags = new Map<string, readonly FlagUse[]>([['output', [use('output', 'json')]]]);
  for (const name of ['since', 'until', 'exclude'] as const) {
    const text = given[name];
    if (text !== undefined) flags.set(name, [use(name, text)]);
  }
  if (given.grep !== undefined) {
    flags.set('grep', [use('grep', given.grep)]);
    flags.set('force', [use('grep', undefined)]);
  }
  if (given.ignore_case === true) flags.set('ignore-case', [use('ignore_case', undefined)]);
  if (given.all_containers === true) flags.set('all-containers', [use('all_containers', undefined)]);
  const levels = [given.level ?? []].flat();
  if (levels.length > 0) flags.set('level', [use('level', levels.join(','))]);
  return flags;
}

function use(written: string, value: string | undefined): FlagUse {
  return { written, value };
}

export async function sourceOf(
  { allowedNamespaces }: McpReader,
  client: KubeClient,
  settings: Settings<'logs'>,
  given: Pick<ReadArguments, 'source'>,
): Promise<SourcePlan> {
  const guarded = guardNamespaces(allowedNamespaces, [given.source].flat(), client.cluster.namespace);
  const sources = guarded.flatMap(({ read }) => read);
  const plan: SourcePlan = {
    ...planSource(settings, sources, await planOutput(settings)),
    confinedTo: allowedNamespaces.length === 0 ? undefined : allowedNamespaces,
  };
  readSources(plan);
  return plan;
}

function engineOf(settings: Settings<'logs'>, window: EnginePlan['window'], filter: FilterPlan): EnginePlan {
  return {
    window,
    filter,
    maxLogRequests: MAX_LOG_REQUESTS,
    searchLimitBytes: settings.value('search-limit'),
    cursors: false,
    raw: false,
  };
}

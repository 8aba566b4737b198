import {
  CRON_JOBS,
  DAEMON_SETS,
  DEPLOYMENTS,
  JOBS,
  NODES,
  PODS,
  REPLICA_SETS,
  STATEFUL_SETS,
} from '@logtool/kube/src/builtin-resources.ts';
import type { ResourceType } from '@logtool/kube/src/client.ts';
import type { CodedError, CodedOf } from '@logtool/kube/src/values/coded-error.ts';
import type { NameList } from '@logtool/kube/src/values/failures.ts';
import { nearNames } from '@logtool/kube/src/values/near-names.ts';
import type { Placement } from '../../domain/container.ts';
import {
  type EmptySources,
  type FilterName,
  nameList,
  resolveFailure,
  type SearchedScope,
  type UsedFilter,
} from '../../domain/resolve-failures.ts';
import type { SourceSpec } from '../../domain/source-syntax.ts';
import type { ResolveContext } from '../context.ts';
import { filtersOf } from '../placement/placement-filters.ts';
import { matchesAny } from '../pods/choose-containers.ts';
import type { SourcePlan } from '../resolve.ts';
import { kindsText, objectText } from '../sources/find-kind.ts';
import type { SourceGroup } from '../sources/source-group.ts';
import { isType } from '../track/roots.ts';
import { describeMissing, describeNamespace } from './describe-missing.ts';
import type { Tally } from './tally.ts';

/** The kinds whose objects the page lists anyway: their names are no secret inside an allowed namespace. */
const LISTED = [PODS, DEPLOYMENTS, REPLICA_SETS, STATEFUL_SETS, DAEMON_SETS, JOBS, CRON_JOBS];

/** Maximum number of values, and of containers, that a message names. */
const MAX_VALUES = 5;
const MAX_CONTAINERS = 20;

/**
 * Reports why a source shows nothing. Throws if the whole source finds nothing. Reports `failed` for single arguments
 * (a container that no pod has). While following, sends a notice about anything that may still appear. `namespace`
 * undefined: all (or several) namespaces.
 */
export async function explainEmpty(
  context: ResolveContext,
  group: SourceGroup,
  type: ResourceType,
  namespace: string | undefined,
  tally: Tally,
): Promise<void> {
  const [spec] = group.specs;
  const scope = scopeOf(context, spec, type, namespace);
  if (tally.pods === 0 && !mayDisclose(context.plan, type))
    return reportNothingOf(context, spec, type, scope);
  const isPods = isType(type, PODS);
  const roots = isPods ? tally.pods : tally.roots;
  if (roots === 0) await explainAbsent(context, spec, type, namespace);
  if (roots === 0 && !isPods) reportNoRoots(context, spec, type, scope);
  else if (tally.pods === 0) reportNoPods(context, spec, type, scope, tally);
  else if (tally.kept === 0) reportNoneKept(context, spec, tally);
  else explainContainers(context, group, tally);
}

/** Throws if the named object, or the namespace, does not exist. */
async function explainAbsent(
  context: ResolveContext,
  spec: SourceSpec,
  type: ResourceType,
  namespace: string | undefined,
): Promise<void> {
  if (namespace === undefined) return;
  const isNamed = spec.name.literal && (!isType(type, PODS) || context.plan.fieldSelector === undefined);
  if (isNamed) throw await describeMissing(context, spec, type, namespace);
  // While the user follows, the namespace may still be created.
  if (!type.namespaced || context.follow) return;
  const absent = await describeNamespace(context, namespace, {
    lacks: 'kind',
    kinds: kindsText(type),
  });
  if (absent !== undefined) throw absent;
}

function reportNoRoots(
  context: ResolveContext,
  spec: SourceSpec,
  type: ResourceType,
  scope: SearchedScope,
): void {
  const kinds = kindsText(type);
  report(context, {
    code: 'none-of-kind',
    data: { kinds, pattern: patternOf(spec), scope, isNamespaced: type.namespaced },
  });
}

/** Returns the pattern that the names of a source must match, or undefined if any name matches. */
function patternOf({ name }: SourceSpec): string | undefined {
  return name.all ? undefined : name.text;
}

function reportNoneKept(context: ResolveContext, { argument }: SourceSpec, tally: Tally): void {
  const { plan } = context;
  const filters = filtersOf(plan).map(({ name, values }) => ({ filter: name, values }));
  const excluded = usedFilter('excluded-pods', plan.excludePods);
  const found = filters.map(({ filter }) => ({ filter, values: valuesOf(tally.placements, filter) }));
  const names = excluded.map(({ filter }) => ({ filter, values: sortedList([...tally.names]) }));
  report(context, {
    code: 'filter-leaves-none',
    data: {
      of: 'pods',
      source: argument,
      pods: tally.pods,
      filters: [...filters, ...excluded],
      found: [...found, ...names],
    },
  });
}

/** Reports the arguments that found no container. Throws if none found any. */
function explainContainers(context: ResolveContext, group: SourceGroup, tally: Tally): void {
  const missing = group.specs.filter((_, index) => tally.found[index] !== true);
  const [first, ...others] = missing.map((other) => containerMissing(context, other, tally));
  for (const error of others) context.failed(error);
  if (first === undefined) {
    if (tally.shown === 0) reportNoState(context, group.specs[0], tally);
    return;
  }
  // When no argument of the group found a container, there is nothing left to wait for.
  if (missing.length === group.specs.length) throw first;
  context.failed(first);
}

function scopeOf(
  { plan }: ResolveContext,
  spec: SourceSpec,
  type: ResourceType,
  namespace: string | undefined,
): SearchedScope {
  if (!type.namespaced) return { in: 'cluster' };
  if (namespace !== undefined) return { in: 'namespace', namespace };
  const wanted = spec.namespace;
  if (wanted === undefined && plan.namespaces !== undefined)
    return { in: 'namespaces', namespaces: plan.namespaces };
  return wanted === undefined || wanted.all ? { in: 'everywhere' } : { in: 'matching', pattern: wanted.text };
}

/** Reports the same whether no such object exists or any number of them have no pods. */
function reportNothingOf(
  context: ResolveContext,
  spec: SourceSpec,
  type: ResourceType,
  scope: SearchedScope,
): void {
  const source = objectText(type, spec.name.text);
  const kinds = kindsText(type);
  report(context, { code: 'no-pods', data: { reason: 'undisclosed', source, kinds, scope } });
}

function reportNoPods(
  context: ResolveContext,
  spec: SourceSpec,
  type: ResourceType,
  scope: SearchedScope,
  tally: Tally,
): void {
  const { selector, fieldSelector } = context.plan;
  if (isType(type, PODS)) {
    const data = { reason: 'no-match', pattern: patternOf(spec), selector, fieldSelector, scope } as const;
    report(context, { code: 'no-pods', data });
    return;
  }
  const source = objectText(type, spec.name.text);
  if (tally.scaledToZero > 0 && tally.scaledToZero === tally.roots) {
    context.notice({ code: 'no-pods', data: { reason: 'scaled-to-zero', source, scope } });
    return;
  }
  const node = isType(type, NODES) ? { name: spec.name.literal ? spec.name.text : undefined } : undefined;
  report(context, {
    code: 'no-pods',
    data: {
      reason: 'owns-none',
      source,
      kinds: kindsText(type),
      found: tally.roots,
      selector,
      fieldSelector,
      scope,
      node,
    },
  });
}

/** Sends a notice while following, because objects may still appear. Otherwise throws an error. */
function report(context: ResolveContext, empty: CodedOf<EmptySources>): void {
  if (!context.follow) throw emptyFailure(empty);
  context.notice(empty);
}

function emptyFailure(empty: CodedOf<EmptySources>): CodedError {
  switch (empty.code) {
    case 'no-pods':
      return resolveFailure(empty.code, empty.data);
    case 'none-of-kind':
      return resolveFailure(empty.code, empty.data);
    case 'filter-leaves-none':
      return resolveFailure(empty.code, empty.data);
  }
}

/** Reports that no container is in a requested state. While following, one may still enter it. */
function reportNoState(context: ResolveContext, { argument }: SourceSpec, tally: Tally): void {
  const wanted = context.plan.containerStates ?? [];
  const states = [...tally.states].sort();
  report(context, { code: 'filter-leaves-none', data: { of: 'states', source: argument, wanted, states } });
}

/** Returns the filters that left containers out, or an empty list. */
function containerFilters({
  containers,
  excludeContainers,
  excludeKinds,
}: SourcePlan): readonly UsedFilter[] {
  return [
    ...usedFilter('containers', containers),
    ...usedFilter('excluded-containers', excludeContainers),
    ...usedFilter('excluded-kinds', excludeKinds),
  ];
}

function usedFilter(filter: FilterName, values: readonly string[] | undefined): readonly UsedFilter[] {
  return values === undefined || (filter === 'excluded-kinds' && values.length === 0)
    ? []
    : [{ filter, values }];
}

function sortedList(values: readonly string[]): NameList {
  return nameList([...values].sort(), MAX_VALUES);
}

function valuesOf(placements: readonly Placement[], name: keyof Placement): NameList {
  return sortedList([...new Set(placements.map((placement) => placement[name] ?? 'none'))]);
}

function containerMissing({ plan, suggestions }: ResolveContext, spec: SourceSpec, tally: Tally): CodedError {
  const filters = containerFilters(plan);
  const wanted = spec.container?.text;
  const names = [...tally.containers].sort();
  const exists = wanted === undefined || names.some((name) => matchesAny([wanted], name));
  if (filters.length > 0 && exists) return containersFiltered(plan, spec, names, filters);
  const source = wanted === undefined ? spec.argument : spec.argument.slice(0, -wanted.length - 1);
  const near = suggestions.take() ? nearNames(wanted ?? '', names) : [];
  const containers = nameList(names, MAX_CONTAINERS);
  return resolveFailure('container-not-found', { source, container: wanted, containers, near });
}

function containersFiltered(
  { containers = [] }: SourcePlan,
  { argument }: SourceSpec,
  names: readonly string[],
  filters: readonly UsedFilter[],
): CodedError {
  const near = [...new Set(containers.flatMap((name) => nearNames(name, names)))];
  return resolveFailure('filter-leaves-none', {
    of: 'containers',
    source: argument,
    filters,
    containers: nameList(names, MAX_CONTAINERS),
    near,
  });
}

/**
 * Returns whether an error may reveal which objects of a kind exist, and how many. A confined reader could otherwise
 * ask for `secrets/nope` to learn the names of all Secrets.
 */
function mayDisclose({ confinedTo }: Pick<SourcePlan, 'confinedTo'>, type: ResourceType): boolean {
  return confinedTo === undefined || LISTED.some((listed) => isType(listed, type));
}

import { NODES, PODS } from '@logtool/kube/src/builtin-resources.ts';
import type { ResourceType } from '@logtool/kube/src/client.ts';
import { LogtoolError } from '@logtool/kube/src/values/errors.ts';
import { nearNames } from '@logtool/kube/src/values/near-names.ts';
import type { Placement } from '../../domain/container.ts';
import type { SourceSpec } from '../../domain/source-syntax.ts';
import type { ResolveContext } from '../context.ts';
import { filtersOf } from '../placement/placement-filters.ts';
import { matchesAny } from '../pods/choose-containers.ts';
import type { SourcePlan } from '../resolve.ts';
import { kindsText, objectText } from '../sources/find-kind.ts';
import type { SourceGroup } from '../sources/source-group.ts';
import { isType } from '../track/roots.ts';
import { describeMissing, describeNamespace } from './describe-missing.ts';
import { mayDisclose } from './disclosure.ts';
import type { Tally } from './tally.ts';

/**
 * Reports why a source shows nothing. Throws if the whole source is in vain; reports `failed` for single
 * arguments (a container that no pod has). What may still come while following is a notice. `namespace`
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
  const place = placeText(context, spec, type, namespace);
  if (tally.pods === 0 && !mayDisclose(context.plan, type))
    return reportNothingOf(context, spec, type, place);
  const isPods = isType(type, PODS);
  const roots = isPods ? tally.pods : tally.roots;
  if (roots === 0) await explainAbsent(context, spec, type, namespace);
  if (roots === 0 && !isPods) reportNoRoots(context, spec, type, place);
  else if (tally.pods === 0) reportNoPods(context, spec, type, place, tally);
  else if (tally.kept === 0) reportNoneKept(context, spec, tally);
  else explainContainers(context, group, tally);
}

/** Throws where the object that is named, or the namespace, does not exist. */
async function explainAbsent(
  context: ResolveContext,
  spec: SourceSpec,
  type: ResourceType,
  namespace: string | undefined,
): Promise<void> {
  if (namespace === undefined) return;
  const isNamed = spec.name.literal && (!isType(type, PODS) || context.plan.fieldSelector === undefined);
  if (isNamed) throw await describeMissing(context, spec, type, namespace);
  // A namespace may still be made while somebody follows.
  if (!type.namespaced || context.follow) return;
  const absent = await describeNamespace(context, namespace, `there are no ${kindsText(type)} in it`);
  if (absent !== undefined) throw absent;
}

function reportNoRoots(context: ResolveContext, spec: SourceSpec, type: ResourceType, place: string): void {
  const like = spec.name.all ? '' : ` like "${spec.name.text}"`;
  const what = `there are no ${kindsText(type)}${like} ${place}`;
  if (!type.namespaced || spec.namespace?.all === true) {
    const list = `kubectl get ${kindsText(type)}${type.namespaced ? ' -A' : ''} lists those there are`;
    const why = 'the name may be another';
    report(context, { code: 'not-found', what, why, next: list, nextOnPage: list });
    return;
  }
  report(context, {
    code: 'not-found',
    what,
    why: 'the name or the namespace may be another',
    next: 'check the namespace with -n, or look in all of them with *:',
    nextOnPage: 'check the namespace, or look in all of them with *: before the source',
  });
}

function reportNoneKept(context: ResolveContext, { argument }: SourceSpec, tally: Tally): void {
  const pods =
    tally.pods === 1
      ? `the only pod of ${argument} does not`
      : `none of the ${tally.pods} pods of ${argument}`;
  report(context, {
    code: 'filter-leaves-none',
    what: `${pods} match ${podFilterText(context.plan)}`,
    why: foundText(context, tally),
    next: 'check the values, or leave out the filter',
  });
}

/** Reports the arguments that found no container; throws where none found any. */
function explainContainers(context: ResolveContext, group: SourceGroup, tally: Tally): void {
  const missing = group.specs.filter((_, index) => tally.found[index] !== true);
  const [first, ...others] = missing.map((other) => containerMissing(context, other, tally));
  for (const error of others) context.failed(error);
  if (first === undefined) {
    if (tally.shown === 0) reportNoState(context, group.specs[0], tally);
    return;
  }
  // Nothing is left to wait for when no argument of the group found a container.
  if (missing.length === group.specs.length) throw first;
  context.failed(first);
}

function placeText(
  { plan }: ResolveContext,
  spec: SourceSpec,
  type: ResourceType,
  namespace: string | undefined,
): string {
  if (!type.namespaced) return 'in the cluster';
  if (namespace !== undefined) return `in namespace "${namespace}"`;
  const wanted = spec.namespace;
  if (wanted === undefined && plan.namespaces !== undefined)
    return `in the namespaces ${plan.namespaces.map((name) => `"${name}"`).join(', ')}`;
  return wanted === undefined || wanted.all ? 'in any namespace' : `in namespaces like "${wanted.text}"`;
}

/** The same whether there is no such object, or any number of them without pods. */
function reportNothingOf(context: ResolveContext, spec: SourceSpec, type: ResourceType, place: string): void {
  report(context, {
    code: 'no-pods',
    what: `no pods match ${objectText(type, spec.name.text)} ${place}`,
    why: `this server does not report which ${kindsText(type)} exist`,
    next: 'check the name and the namespace',
  });
}

function reportNoPods(
  context: ResolveContext,
  spec: SourceSpec,
  type: ResourceType,
  place: string,
  tally: Tally,
): void {
  const { selector, fieldSelector } = context.plan;
  const selected =
    (selector === undefined ? '' : ` with labels ${selector}`) +
    (fieldSelector === undefined ? '' : ` with fields ${fieldSelector}`);
  if (isType(type, PODS)) {
    const like = spec.name.all ? '' : ` like "${spec.name.text}"`;
    report(context, {
      code: 'no-pods',
      what: `no pods match: there are none${like}${selected} ${place}`,
      why: 'the name, the labels or the namespace are others, or the pods are gone with their logs',
      next: 'check the namespace with -n, and what there is with: kubectl get pods --show-labels',
      nextOnPage: 'check the namespace, and what there is with: kubectl get pods --show-labels',
    });
    return;
  }
  const name = objectText(type, spec.name.text);
  if (tally.scaledToZero > 0 && tally.scaledToZero === tally.roots) {
    context.notice('no-pods', `${name} ${place} has no pods: it is scaled to 0`);
    return;
  }
  report(context, {
    code: 'no-pods',
    what: `no pods match: ${name} ${place} has none${selected}`,
    why:
      tally.roots > 1 ? `${tally.roots} ${kindsText(type)} were found, and none of them has pods` : undefined,
    next: isType(type, NODES)
      ? `for the pods that run there: logtool logs '*:pods/*' --node ${spec.name.literal ? spec.name.text : 'NAME'}`
      : 'logs go with their pods; -f waits for new ones',
    nextOnPage: 'logs go with their pods; those of new ones are shown when the newest lines are followed',
  });
}

/** What may still come is worth a notice while following, and an error otherwise. */
function report(
  context: ResolveContext,
  parts: { code: string; what: string; why?: string | undefined; next: string; nextOnPage?: string },
): void {
  if (context.follow) context.notice(parts.code, `${parts.what}; waiting for some`);
  else throw new LogtoolError(parts);
}

/** No container is in a state that is asked for; one may still come to it. */
function reportNoState(context: ResolveContext, spec: SourceSpec, tally: Tally): void {
  report(context, {
    code: 'filter-leaves-none',
    what: `none of the containers of ${spec.argument} match --container-state ${context.plan.containerStates?.join(',')}`,
    why: `the containers are ${[...tally.states].sort().join(', ')}`,
    next: 'check the states, or leave out the filter',
  });
}

function podFilterText(plan: SourcePlan): string {
  const places = filtersOf(plan).map(({ name, values }) => flagText(name, values));
  return [...places, flagText('exclude-pod', plan.excludePods)].filter((text) => text !== '').join(' ');
}

/** The filters by which containers were left out, as they are typed; empty where there are none. */
function containerFilterText({ containers, excludeContainers, excludeKinds = [] }: SourcePlan): string {
  const kinds = excludeKinds.map((kind) => `--no-${kind}-containers`);
  const names = [flagText('container', containers), flagText('exclude-container', excludeContainers)];
  return [...names, ...kinds].filter((text) => text !== '').join(' ');
}

function flagText(name: string, values: readonly string[] | undefined): string {
  return values === undefined ? '' : `--${name} ${values.join(',')}`;
}

function foundText({ plan }: ResolveContext, tally: Tally): string {
  const places = filtersOf(plan).map(({ name }) => `${name}: ${valuesOf(tally.places, name)}`);
  const names = plan.excludePods === undefined ? [] : [`pods: ${listText([...tally.names])}`];
  return [...places, ...names].join('; ');
}

function listText(values: readonly string[]): string {
  const more = values.length > 5 ? `, and ${values.length - 5} more` : '';
  return [...values].sort().slice(0, 5).join(', ') + more;
}

function valuesOf(places: readonly Placement[], name: keyof Placement): string {
  return `the pods have ${listText([...new Set(places.map((place) => place[name] ?? 'none'))])}`;
}

function containerMissing(
  { plan, suggestions }: ResolveContext,
  spec: SourceSpec,
  tally: Tally,
): LogtoolError {
  const filters = containerFilterText(plan);
  const wanted = spec.container?.text ?? '';
  const names = [...tally.containers].sort();
  const exists = spec.container === undefined || names.some((name) => matchesAny([wanted], name));
  if (filters !== '' && exists) return containersFiltered(plan, spec, names, filters);
  const near = suggestions.take() ? nearNames(wanted, names) : [];
  return new LogtoolError({
    code: 'container-not-found',
    what:
      spec.container === undefined
        ? `the pods of ${spec.argument} have no regular container`
        : `no container "${wanted}" in the pods of ${spec.argument.slice(0, -wanted.length - 1)}`,
    why: `the containers there are: ${names.slice(0, 20).join(', ')}${names.length > 20 ? ', ...' : ''}`,
    next: near.length > 0 ? `did you mean ${near.join(' or ')}?` : 'take one of these, or /* for all',
  });
}

function containersFiltered(
  { containers = [] }: SourcePlan,
  { argument }: SourceSpec,
  names: readonly string[],
  filters: string,
): LogtoolError {
  const near = [...new Set(containers.flatMap((name) => nearNames(name, names)))];
  return new LogtoolError({
    code: 'filter-leaves-none',
    what: `none of the containers of ${argument} match ${filters}`,
    why: `the containers are: ${names.slice(0, 20).join(', ')}${names.length > 20 ? ', ...' : ''}`,
    next:
      near.length > 0
        ? `did you mean --container ${near.join(' or ')}?`
        : 'take one of these, or leave out the filter',
  });
}

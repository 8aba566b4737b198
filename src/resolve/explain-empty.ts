import type { Placement } from '../domain/container.ts';
import { LogtoolError } from '../domain/errors.ts';
import { nearNames } from '../domain/near-names.ts';
import type { SourceSpec } from '../domain/source-syntax.ts';
import { NODES, PODS } from '../kube/builtin-resources.ts';
import type { ResourceType } from '../kube/client.ts';
import type { ResolveContext } from './context.ts';
import { describeMissing, describeNamespace } from './describe-missing.ts';
import { kindsText, objectText } from './find-kind.ts';
import { filtersOf } from './placement-wishes.ts';
import { isType } from './roots.ts';
import type { SourceGroup } from './source-group.ts';
import type { Tally } from './tally.ts';

/**
 * Says why a source shows nothing. Throws when the whole source is in vain; tells `failed` about single arguments
 * (a container that no pod has). What may still come while following is a notice.
 * `namespace` undefined: all (or several) namespaces.
 */
export async function explainEmpty(
  context: ResolveContext,
  group: SourceGroup,
  type: ResourceType,
  namespace: string | undefined,
  tally: Tally,
): Promise<void> {
  const [spec] = group.specs;
  const isPods = isType(type, PODS);
  const place = placeText(spec, type, namespace);
  const roots = isPods ? tally.pods : tally.roots;
  if (roots === 0 && spec.name.literal && namespace !== undefined) {
    throw await describeMissing(context, spec, type, namespace);
  }
  // A namespace may still be made while somebody follows.
  if (roots === 0 && type.namespaced && namespace !== undefined && !context.follow) {
    const absent = await describeNamespace(context, namespace, `there are no ${kindsText(type)} in it`);
    if (absent !== undefined) throw absent;
  }
  if (roots === 0 && !isPods) {
    const isEverywhere = !type.namespaced || spec.namespace?.all === true;
    const list = `kubectl get ${kindsText(type)}${type.namespaced ? ' -A' : ''} lists those there are`;
    tell(context, {
      code: 'not-found',
      what: `there are no ${kindsText(type)}${spec.name.all ? '' : ` like "${spec.name.text}"`} ${place}`,
      why: isEverywhere ? 'the name may be another' : 'the name or the namespace may be another',
      next: isEverywhere ? list : 'check the namespace with -n, or look in all of them with *:',
      nextOnPage: isEverywhere
        ? list
        : 'check the namespace, or look in all of them with *: in front of the source',
    });
  } else if (tally.pods === 0) {
    tellNoPods(context, spec, type, place, tally);
  } else if (tally.kept === 0) {
    tell(context, {
      code: 'filter-leaves-none',
      what: `of the ${tally.pods === 1 ? 'one pod' : `${tally.pods} pods`} of ${spec.argument} none is left by ${filterText(context)}`,
      why: foundText(context, tally),
      next: 'check the values, or leave the filter away',
    });
  } else {
    const missing = group.specs.filter((_, index) => tally.found[index] !== true);
    const [first, ...others] = missing.map((other) => containerMissing(other, tally));
    for (const error of others) context.failed(error);
    if (first === undefined) return;
    // Nothing is left to wait for when no argument of the group found a container.
    if (missing.length === group.specs.length) throw first;
    context.failed(first);
  }
}

function placeText(spec: SourceSpec, type: ResourceType, namespace: string | undefined): string {
  if (!type.namespaced) return 'in the cluster';
  if (namespace !== undefined) return `in namespace "${namespace}"`;
  const wanted = spec.namespace;
  return wanted === undefined || wanted.all ? 'in any namespace' : `in namespaces like "${wanted.text}"`;
}

function tellNoPods(
  context: ResolveContext,
  spec: SourceSpec,
  type: ResourceType,
  place: string,
  tally: Tally,
): void {
  const selected = context.plan.selector === undefined ? '' : ` with labels ${context.plan.selector}`;
  if (isType(type, PODS)) {
    const like = spec.name.all ? '' : ` like "${spec.name.text}"`;
    tell(context, {
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
  tell(context, {
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
function tell(
  context: ResolveContext,
  parts: { code: string; what: string; why?: string | undefined; next: string; nextOnPage?: string },
): void {
  if (context.follow) context.notice(parts.code, `${parts.what}; waiting for some`);
  else throw new LogtoolError(parts);
}

function filterText(context: ResolveContext): string {
  return filtersOf(context.plan)
    .map(({ name, values }) => `--${name} ${values.join(',')}`)
    .join(' ');
}

function foundText(context: ResolveContext, tally: Tally): string {
  return filtersOf(context.plan)
    .map(({ name }) => `${name}: ${valuesOf(tally.places, name)}`)
    .join('; ');
}

function valuesOf(places: readonly Placement[], name: keyof Placement): string {
  const values = [...new Set(places.map((place) => place[name] ?? 'none'))].sort();
  const more = values.length > 5 ? `, and ${values.length - 5} more` : '';
  return `the pods have ${values.slice(0, 5).join(', ')}${more}`;
}

function containerMissing(spec: SourceSpec, tally: Tally): LogtoolError {
  const wanted = spec.container?.text ?? '';
  const names = [...tally.containers].sort();
  const near = nearNames(wanted, names);
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

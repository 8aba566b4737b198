import type { Coded } from '@logtool/kube/src/values/coded-error.ts';
import type {
  AbsentObject,
  EmptySources,
  FilteredOut,
  NamespaceEffect,
  NoPods,
  ResolveFailures,
  SearchedScope,
  UnknownKind,
  UsedFilter,
} from '../domain/resolve-failures.ts';
import { listText, meantText } from './lists.ts';
import type { Facts, Message, Messages } from './message.ts';
import { badNamespaceText, badSourceText, selectorFaultText } from './sources.ts';
import { unknownMemberText } from './unknown-code.ts';

/** The reader's name for a filter with its values. */
export type FilterText = (filter: UsedFilter) => string;

/** Returns `in namespace "shop"`. */
export function scopeText(scope: SearchedScope): string {
  switch (scope.in) {
    case 'cluster':
      return 'in the cluster';
    case 'namespace':
      return `in namespace "${scope.namespace}"`;
    case 'namespaces':
      return `in the namespaces ${scope.namespaces.map((name) => `"${name}"`).join(', ')}`;
    case 'matching':
      return `in namespaces like "${scope.pattern}"`;
    case 'everywhere':
      return 'in any namespace';
    default:
      return unknownMemberText(scope satisfies never, 'in');
  }
}

export function noPodsFact(data: NoPods): Facts {
  const scope = scopeText(data.scope);
  switch (data.reason) {
    case 'undisclosed':
      return {
        what: `no pods match ${data.source} ${scope}`,
        why: `this server does not report which ${data.kinds} exist`,
      };
    case 'no-match':
      return {
        what: `there are no pods${likeText(data.pattern)}${selectorsText(data)} ${scope}`,
        why: 'the name, labels or namespace may be wrong, or the pods are gone with their logs',
      };
    case 'owns-none':
      return {
        what: `${data.source} ${scope} has no pods${selectorsText(data)}`,
        why: data.found > 1 ? `logtool found ${data.found} ${data.kinds}, none of them with pods` : undefined,
      };
    case 'scaled-to-zero':
      return { what: `${data.source} ${scope} has no pods: it is scaled to 0` };
    default:
      return { what: unknownMemberText(data satisfies never, 'reason') };
  }
}

export function noneOfKindFact(data: EmptySources['none-of-kind']): Facts {
  return {
    what: `there are no ${data.kinds}${likeText(data.pattern)} ${scopeText(data.scope)}`,
    why: isOneCluster(data) ? 'the name may be wrong' : 'the name or the namespace may be wrong',
  };
}

/** Whether logtool searched all namespaces, or the objects have no namespace. */
function isOneCluster({ isNamespaced, scope }: EmptySources['none-of-kind']): boolean {
  return !isNamespaced || scope.in === 'everywhere';
}

export function filteredFact(data: FilteredOut, filterText: FilterText): Facts {
  switch (data.of) {
    case 'pods': {
      const pods =
        data.pods === 1
          ? `the only pod of ${data.source} does not`
          : `none of the ${data.pods} pods of ${data.source}`;
      return {
        what: `${pods} match ${data.filters.map(filterText).join(' ')}`,
        why: data.found
          .map(({ filter, values }) =>
            filter === 'excluded-pods'
              ? `pods: ${listText(values)}`
              : `${filter}: the pods have ${listText(values)}`,
          )
          .join('; '),
      };
    }
    case 'states':
      return {
        what: `none of the containers of ${data.source} match ${filterText({ filter: 'states', values: data.wanted })}`,
        why: `the containers are ${data.states.join(', ')}`,
      };
    case 'containers':
      return {
        what: `none of the containers of ${data.source} match ${data.filters.map(filterText).join(' ')}`,
        why: `the containers are: ${listText(data.containers)}`,
      };
    default:
      return { what: unknownMemberText(data satisfies never, 'of') };
  }
}

function absentObjectFact(data: AbsentObject): Facts {
  const scope = scopeText(data.scope);
  return {
    what: `${data.kind} "${data.name}" was not found ${scope}`,
    why:
      data.meantKind === undefined
        ? data.existing && existingText(data.existing, scope)
        : `"${data.name}" without a kind is the name of a pod, and no pod has it`,
  };
}

function existingText({ kinds, names }: NonNullable<AbsentObject['existing']>, scope: string): string {
  if (names === undefined) return `logtool cannot list ${kinds} ${scope}`;
  if (names.names.length === 0) return `there are no ${kinds} ${scope}`;
  return `the ${kinds} are: ${listText(names)}`;
}

function effectText(effect: NamespaceEffect): string {
  switch (effect.lacks) {
    case 'logs':
      return 'a namespace that does not exist has no logs';
    case 'kind':
      return `no ${effect.kinds} can be in it`;
    case 'object':
      return `${effect.kind} "${effect.name}" cannot be in it`;
    default:
      return unknownMemberText(effect satisfies never, 'lacks');
  }
}

/** Returns what to do about an unknown kind: suggests a similar one, else an existing one. */
function kindAdvice(data: UnknownKind): string {
  if (data.near.length > 0) return `did you mean ${data.near.join(' or ')}?`;
  if (data.reason === 'not-shown') return `choose one of ${data.kinds.join(', ')}`;
  const kinds = 'kubectl api-resources lists the kinds';
  return data.asPod === undefined ? kinds : `for a container of a pod write ${data.asPod}; ${kinds}`;
}

function likeText(pattern: string | undefined): string {
  return pattern === undefined ? '' : ` like "${pattern}"`;
}

function selectorsText({
  selector,
  fieldSelector,
}: {
  readonly selector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}): string {
  const labels = selector === undefined ? '' : ` with labels ${selector}`;
  return labels + (fieldSelector === undefined ? '' : ` with fields ${fieldSelector}`);
}

/** Messages that are the same for a terminal and the page. */
const SAME_MESSAGES: Pick<
  Messages<ResolveFailures>,
  'namespace-missing' | 'kind-not-readable' | 'bad-source' | 'bad-namespace' | 'container-not-found'
> = {
  'namespace-missing': ({ namespace, effect, near }) => ({
    what: `namespace "${namespace}" does not exist`,
    why: effectText(effect),
    next: meantText(near) ?? 'kubectl get namespaces lists those that exist',
  }),
  'kind-not-readable': ({ type }) => ({
    what: `${type} cannot be log sources`,
    why: 'the cluster does not let anyone get objects of that kind',
  }),
  'bad-source': badSourceText,
  'bad-namespace': badNamespaceText,
  'container-not-found': ({ source, container, containers, near }) => ({
    what:
      container === undefined
        ? `the pods of ${source} have no regular container`
        : `no container "${container}" in the pods of ${source}`,
    why: `the containers are: ${listText(containers)}`,
    next: meantText(near) ?? 'choose one of these, or /* for all',
  }),
};

/** The reader's terms and actions; the rest of a message is the same for all. */
export interface ResolveReader {
  readonly filterText: FilterText;
  /** What fails without the permission to read nodes. */
  readonly cannotFilter: (fields: readonly string[]) => string;
  /** What to do without that permission; `next`: how to get it. */
  readonly withoutNodes: (next: string | undefined) => string | undefined;
  /** Why this server shows a kind to no one. */
  readonly hiddenKind: (namespaces: readonly string[]) => string;
  readonly selector: { readonly name: string; readonly example: string };
  /** What to do, by what is missing. */
  readonly noPodsNext: (data: Exclude<NoPods, { readonly reason: 'undisclosed' }>) => string;
  readonly noneInNamespaceNext: string;
  readonly filteredNext: (data: FilteredOut) => string;
  readonly absentObjectNext: (data: AbsentObject) => string;
  readonly noSourceNext: string;
}

/** Returns the messages for one kind of reader. `messageOf`: returns the message of a failure inside another one. */
export function resolveMessages(
  messageOf: (failure: Coded) => Message,
  reader: ResolveReader,
): Messages<ResolveFailures> {
  return {
    ...SAME_MESSAGES,
    'nodes-forbidden': ({ fields, refusal }) => {
      const { what, why, next } = messageOf(refusal);
      return { what: `${reader.cannotFilter(fields)}: ${what}`, why, next: reader.withoutNodes(next) };
    },
    'no-pods': (data) => ({
      ...noPodsFact(data),
      next: data.reason === 'undisclosed' ? 'check the name and the namespace' : reader.noPodsNext(data),
    }),
    'none-of-kind': (data) => ({
      ...noneOfKindFact(data),
      next: isOneCluster(data)
        ? `kubectl get ${data.kinds}${data.isNamespaced ? ' -A' : ''} lists those that exist`
        : reader.noneInNamespaceNext,
    }),
    'filter-leaves-none': (data) => ({
      ...filteredFact(data, reader.filterText),
      next: reader.filteredNext(data),
    }),
    'source-not-found': (data) => ({
      ...absentObjectFact(data),
      next: meantText(data.near) ?? reader.absentObjectNext(data),
    }),
    'unknown-kind': (data) => ({ ...unknownKindFact(data, reader), next: kindAdvice(data) }),
    'no-source': () => ({ what: 'a log source is missing', next: reader.noSourceNext }),
    'bad-selector': (data) => ({
      what: `${reader.selector.name} is not a label selector`,
      why: selectorFaultText(data),
      next: `separate conditions with commas, e.g. ${reader.selector.example}`,
    }),
  };
}

function unknownKindFact(data: UnknownKind, { hiddenKind }: ResolveReader): Facts {
  switch (data.reason) {
    case 'absent':
      return {
        what: `the cluster has no kind "${data.kind}"`,
        why: `the part of "${data.argument}" before the first slash is a kind`,
      };
    case 'not-shown':
      return { what: `this server shows no kind "${data.kind}"`, why: hiddenKind(data.namespaces) };
    default:
      return { what: unknownMemberText(data satisfies never, 'reason') };
  }
}

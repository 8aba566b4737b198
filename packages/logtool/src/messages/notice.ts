import type { Why } from '@logtool/kube/src/values/problems.ts';
import type { FactNotices, NamedContainer, Notices, UnknownPlacements, Watched } from '../domain/notice.ts';
import { andText, countText, listText } from './lists.ts';
import { longLineText } from './long-line.ts';
import { whyText } from './problems.ts';
import { type FilterText, filteredFact, noneOfKindFact, noPodsFact, scopeText } from './resolve.ts';
import { knownText, unknownMemberText } from './unknown-code.ts';

/** One text for each notice: a code without a text does not compile. */
export type NoticeTexts<Codes = Notices> = {
  readonly [C in keyof Codes & string]: (data: Codes[C]) => string;
};

/** Returns the texts for every reader; the terminal adds the useful flag. */
export function noticeTexts(filterText: FilterText): NoticeTexts {
  return {
    'run-removed': ({ container: { namespace, pod, container } }) =>
      `the node no longer has the previous run of ${namespace}/${pod}/${container}`,
    'line-cut': ({ container, lines, limitBytes }) =>
      `${countText(lines, 'line', 'lines')} of ${nameText(container)} ${lines === 1 ? 'is' : 'are'} longer than ${limitBytes >> 20} MiB; logtool cut ${lines === 1 ? 'it' : 'them'} there`,
    'context-cut': ({ container, at, lost }) =>
      `${countText(lost, 'line', 'lines')} before the match at ${at} in ${nameText(container)} ${lost === 1 ? 'does' : 'do'} not appear, and some before later matches may be missing: keeping them takes too much memory`,
    'long-lines': longLineText,
    'in-turns': ({ limit, total }) => `following ${limit} of ${total} containers at a time, in turns`,
    'no-temporary-file': ({ why, containers }) =>
      `cannot write the temporary file for reading in turns (${why}); reading all ${containers} containers at once`,
    'search-limit': ({ at }) => `searched back to ${at}`,
    'clock-set-back': ({ container }) =>
      `the clock of ${nameText(container)} was set back; lines that it wrote after that have timestamps before this page, so they do not appear`,
    'node-files-refused': ({ node, why }) =>
      knownText(
        {
          forbidden: `you lack permission to get nodes/proxy of node ${node}: logtool does not read the files that it rotated away`,
          disabled: `node ${node} serves no log files: logtool cannot read those that it rotated away`,
        },
        why,
      ),
    'agent-not-read': ({ why, node = 'unknown', namespace = 'unknown' }) =>
      knownText(
        {
          'not-installed':
            "logtool's API is not installed in this cluster: logtool does not read the files that nodes rotated away",
          'not-reachable': `logtool's agent on node ${node} does not answer: logtool does not read the files that the node rotated away`,
          forbidden: `you lack permission to get pods/log of logtool.dev in namespace ${namespace}: logtool does not read the files that nodes rotated away`,
        },
        why,
      ),
    'namespace-not-found': ({ namespace }) => `namespace "${namespace}" does not exist`,
    'namespace-forbidden': ({ namespace }) => `logtool leaves out namespace "${namespace}"`,
    'owners-forbidden': () => 'logtool matches pods by the names of their owners, which is less certain',
    'nodes-forbidden': placementText,
    'no-pods': (data) =>
      data.reason === 'scaled-to-zero' ? noPodsFact(data).what : `${noPodsFact(data).what}; waiting for some`,
    'none-of-kind': (data) => `${noneOfKindFact(data).what}; waiting for some`,
    'filter-leaves-none': (data) => `${filteredFact(data, filterText).what}; waiting for some`,
    polling: ({ isForbidden, ...watched }) =>
      isForbidden
        ? `you lack permission to watch ${watchedText(watched)}; logtool asks again every few seconds instead`
        : `the cluster cannot watch ${watchedText(watched)}; logtool asks again every few seconds instead`,
    retrying: ({ why, ...watched }) =>
      `lost contact with ${watchedText(watched)}, trying again${reasonText(why)}`,
    live: (watched) => `reconnected to ${watchedText(watched)}`,
    'cluster-away': ({ why }) => `Lost contact with the cluster, trying again${reasonText(why)}`,
    'cluster-refuses': ({ why }) => `Lost contact with the cluster, trying again${reasonText(why)}`,
    'cluster-back': () => 'Reconnected to the cluster',
    'facts-forbidden': (data) => `${factsText(data)} do not appear`,
    'facts-unreadable': (data) => `${factsText(data)} do not appear`,
    'facts-cut': ({ namespace, kept }) =>
      `namespace ${namespace} has more events than logtool keeps; only the newest ${numberText(kept)} appear`,
    'facts-confined': () => 'changes of nodes do not appear: logtool may show only some namespaces',
  };
}

function factsText({ of, namespace }: FactNotices['facts-forbidden']): string {
  const what = {
    events: 'events',
    workloads: 'rollouts',
    nodes: 'changes of nodes',
    autoscalers: 'events of autoscalers',
  };
  const text = knownText(what, of);
  return namespace === undefined ? text : `${text} in namespace ${namespace}`;
}

function nameText({ pod, container }: NamedContainer): string {
  return `${pod}/${container}`;
}

function numberText(count: number): string {
  return count.toLocaleString('en');
}

function reasonText(why: Why | undefined): string {
  return why === undefined ? '' : `: ${whyText(why)}`;
}

function watchedText({ type, scope }: Watched): string {
  switch (scope.in) {
    case 'cluster':
      return type;
    case 'everywhere':
      return `${type} in all namespaces`;
    case 'matching':
    case 'namespace':
    case 'namespaces':
      return `${type} ${scopeText(scope)}`;
    default:
      return unknownMemberText(scope satisfies never, 'in');
  }
}

function placementText(data: UnknownPlacements): string {
  switch (data.effect) {
    case 'left-out': {
      const { fields, pods, total } = data;
      const count = pods.names.length + pods.more;
      const isOne = count === 1;
      return `logtool leaves out ${count} of ${countText(total, 'pod', 'pods')} because it does not know ${isOne ? 'its' : 'their'} ${andText(fields)} (${listText(pods)})`;
    }
    case 'left-out-later':
      return `logtool leaves out pod ${data.pod}, and later pods like it, because it does not know their ${andText(data.fields)}`;
    case 'unknown':
      return `logtool does not know ${data.groups.map((group) => `the ${andText(group.fields)} of ${podsText(group)}`).join(', ')}`;
    default:
      return unknownMemberText(data satisfies never, 'effect');
  }
}

/** Returns `all 5 pods`, `2 of 5 pods (shop/web-0, shop/web-1)`. */
function podsText({
  pods,
  total,
}: Extract<UnknownPlacements, { effect: 'unknown' }>['groups'][number]): string {
  const count = pods.names.length + pods.more;
  if (count < total) return `${count} of ${total} pods (${listText(pods)})`;
  return total === 1 ? `pod ${listText(pods)}` : `all ${total} pods`;
}

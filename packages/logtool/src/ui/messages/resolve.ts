import type { FilterName, NoPods, UsedFilter } from '../../domain/resolve-failures.ts';
import { meantText } from '../../messages/lists.ts';
import type { ResolveReader } from '../../messages/resolve.ts';
import { knownText } from '../../messages/unknown-code.ts';

const FILTERS: Readonly<Record<FilterName, string>> = {
  node: 'node',
  region: 'region',
  zone: 'zone',
  os: 'operating system',
  arch: 'architecture',
  'excluded-pods': 'the pods left out,',
  containers: 'container',
  'excluded-containers': 'the containers left out,',
  'excluded-kinds': 'the kinds of containers left out,',
  states: 'state',
};

/** Names a filter as the page does. */
export function filterText({ filter, values }: UsedFilter): string {
  return `${knownText(FILTERS, filter)} ${values.join(', ')}`;
}

/** Words for a reader at the page, who has no flags and cannot start the server. */
export const PAGE_READER: ResolveReader = {
  filterText,
  cannotFilter: (fields) => `logtool cannot choose pods by ${fields.join(', ')}`,
  withoutNodes: (next) => next,
  hiddenKind: (namespaces) =>
    `it shows only namespace ${namespaces.join(', ')}, and kinds inside a namespace`,
  selector: { name: 'this', example: 'app=web,tier!=db' },
  noPodsNext,
  noneInNamespaceNext: 'check the namespace, or search all of them with *: before the source',
  filteredNext: (data) =>
    meantText(data.of === 'containers' ? data.near : []) ?? 'check the values, or leave out the filter',
  absentObjectNext: ({ scope }) =>
    scope.in === 'cluster' ? 'check the name' : 'check the name and the namespace before the colon',
  noSourceNext: 'choose a workload or a pod',
};

function noPodsNext(data: Exclude<NoPods, { readonly reason: 'undisclosed' }>): string {
  switch (data.reason) {
    case 'no-match':
      return 'check the namespace, and list the pods with: kubectl get pods --show-labels';
    case 'owns-none':
      return 'logs go with their pods; follow the newest lines to see those of new pods';
    case 'scaled-to-zero':
      return 'scale it up, or wait for its pods';
  }
}

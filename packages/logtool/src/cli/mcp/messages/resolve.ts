import type { NoPods, UsedFilter } from '../../../domain/resolve-failures.ts';
import { meantText } from '../../../messages/lists.ts';
import type { ResolveReader } from '../../../messages/resolve.ts';

export function filterText({ filter, values }: UsedFilter): string {
  return `${filter} ${values.join(', ')}`;
}

const LIST = 'find_workloads lists what exists';

/** An agent, which has the tools of this server but no command line of logtool. */
export const ASSISTANT_READER: ResolveReader = {
  filterText,
  cannotFilter: (fields) => `logtool cannot choose pods by ${fields.join(', ')}`,
  withoutNodes: () => undefined,
  hiddenKind: (namespaces) =>
    `it reads only namespace ${namespaces.join(', ')}, and kinds inside a namespace`,
  selector: { name: 'this', example: 'app=web,tier!=db' },
  noPodsNext,
  noneInNamespaceNext: `check the namespace before the colon; ${LIST}`,
  filteredNext: (data) => meantText(data.of === 'containers' ? data.near : []) ?? 'leave out the filter',
  absentObjectNext: ({ scope }) =>
    scope.in === 'cluster' ? 'check the name' : `check the name and the namespace before the colon; ${LIST}`,
  noSourceNext: 'name a source, such as shop:deployments/web',
};

function noPodsNext(data: Exclude<NoPods, { readonly reason: 'undisclosed' }>): string {
  switch (data.reason) {
    case 'no-match':
      return `check the name and the namespace before the colon; ${LIST}`;
    case 'owns-none':
      return 'logs go with their pods; events may say why there are none';
    case 'scaled-to-zero':
      return 'it runs no pods, so there are no logs to read';
  }
}

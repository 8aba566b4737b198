import type { FilteredOut, FilterName, NoPods, UsedFilter } from '../../domain/resolve-failures.ts';
import type { ResolveReader } from '../../messages/resolve.ts';
import type { FlagName } from '../flags/table.ts';

const FLAGS: Readonly<Record<Exclude<FilterName, 'excluded-kinds'>, FlagName<'logs'>>> = {
  node: 'node',
  region: 'region',
  zone: 'zone',
  os: 'os',
  arch: 'arch',
  'excluded-pods': 'exclude-pod',
  containers: 'container',
  'excluded-containers': 'exclude-container',
  states: 'container-state',
};

/** Formats a filter as the user types it. */
export function flagText({ filter, values }: UsedFilter): string {
  return filter === 'excluded-kinds'
    ? values.map((kind) => `--no-${kind}-containers`).join(' ')
    : `--${FLAGS[filter]} ${values.join(',')}`;
}

/** A reader at a command line, who has flags. */
export const TERMINAL_READER: ResolveReader = {
  filterText: flagText,
  cannotFilter: (fields) => `${fields.map((field) => `--${field}`).join(', ')} cannot work`,
  withoutNodes: (next) => `${next === undefined ? '' : `${next}; `}--node works without that permission`,
  hiddenKind: (namespaces) =>
    `with --allowed-namespaces ${namespaces.join(',')} it shows only kinds inside a namespace`,
  selector: { name: '--selector', example: '-l app=web,tier!=db' },
  noPodsNext,
  noneInNamespaceNext: 'check the namespace with -n, or search all of them with *:',
  filteredNext,
  absentObjectNext: ({ containerOf, name, scope }) => {
    // An object of the cluster, such as a node, has no namespace to check.
    const check = scope.in === 'cluster' ? 'check the name' : 'check the name, and the namespace with -n';
    return containerOf === undefined
      ? check
      : `for container ${name} of ${containerOf}: --container ${name}; else ${check}`;
  },
  // Other commands than logs take sources too; the help of logs describes them.
  noSourceNext:
    'name a pod or a workload, e.g. deployments/web, or select pods with -l app=web; logtool logs --help has more ways',
};

function noPodsNext(data: Exclude<NoPods, { readonly reason: 'undisclosed' }>): string {
  switch (data.reason) {
    case 'no-match':
      return 'check the namespace with -n, and list the pods with: kubectl get pods --show-labels';
    case 'owns-none':
      return data.node === undefined
        ? 'logs go with their pods; -f waits for new ones'
        : `for the pods that run there: logtool logs '*:pods/*' --node ${data.node.name ?? 'NAME'}`;
    case 'scaled-to-zero':
      return 'scale it up, or wait for its pods with -f';
  }
}

function filteredNext(data: FilteredOut): string {
  switch (data.of) {
    case 'pods':
      return 'check the values, or leave out the filter';
    case 'states':
      return 'check the states, or leave out the filter';
    case 'containers':
      return data.near.length > 0
        ? `did you mean --container ${data.near.join(' or ')}?`
        : 'choose one of these, or leave out the filter';
  }
}

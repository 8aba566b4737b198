import type { WorkloadKind } from '../../../contract/workload.ts';
import { WORKLOAD_KINDS } from '../../../contract/workload-kinds.ts';
import { allOf, oneOf, type SearchParams } from '../../frame/search-params.ts';
import { SORT_COLUMNS, type SortColumn } from './sort.ts';

/** All state of the home page, kept in the query of its URL. Omitted parts have their defaults. */
export interface HomeUrl {
  /** Context; undefined: the kubeconfig's current one. */
  readonly ctx: string | undefined;
  /** Empty: all namespaces. */
  readonly ns: readonly string[];
  readonly kind: WorkloadKind | undefined;
  readonly q: string;
  readonly sort: SortColumn;
  readonly isDescending: boolean;
  /** Source arguments of the selected rows, `shop:deployments/web`. */
  readonly sel: readonly string[];
}

/** A longer selection stays in the page only: servers would refuse the URL. */
export const URL_SELECTION_LIMIT = 100;

/** Reads the query; drops invalid values, so that links of other versions still open. */
export function readHomeUrl(params: SearchParams): HomeUrl {
  const kind = oneOf(params, 'kind');
  const sort = oneOf(params, 'sort') ?? 'name';
  const isDescending = sort.startsWith('-');
  const column = SORT_COLUMNS.find((name) => name === (isDescending ? sort.slice(1) : sort));
  return {
    ctx: oneOf(params, 'ctx') || undefined,
    ns: unique(allOf(params, 'ns')),
    kind: WORKLOAD_KINDS.find((name) => name === kind),
    q: oneOf(params, 'q') ?? '',
    sort: column ?? 'name',
    isDescending: column === undefined ? false : isDescending,
    sel: unique(allOf(params, 'sel')),
  };
}

/** Returns the query that readHomeUrl reads; omits defaults. */
export function writeHomeUrl(url: HomeUrl): SearchParams {
  const params: Record<string, string | readonly string[]> = {};
  if (url.ctx !== undefined) params.ctx = url.ctx;
  if (url.ns.length > 0) params.ns = url.ns;
  if (url.kind !== undefined) params.kind = url.kind;
  if (url.q !== '') params.q = url.q;
  if (url.sort !== 'name' || url.isDescending) params.sort = `${url.isDescending ? '-' : ''}${url.sort}`;
  if (url.sel.length > 0 && url.sel.length <= URL_SELECTION_LIMIT) params.sel = url.sel;
  return params;
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names.filter((name) => name !== ''))];
}

import type { ContainerLog } from '../runs/container-log.ts';
import { parseFieldSelector, type Selector } from '../runs/selector.ts';
import { type IncludeObject, tableOf } from '../runs/table.ts';
import { fieldNotSupported, labelsNotSupported } from '../status/list-status.ts';
import type { Status } from '../status/status.ts';
import { GROUP_VERSION } from './api-documents.ts';

/** What a request for container logs selects, and in which form. */
export interface ListQuery {
  readonly selects: Selector;
  readonly form: Form;
  readonly isWatch: boolean;
  /** '' if the request has none. */
  readonly resourceVersion: string;
  readonly bookmarks: boolean;
  readonly initialEvents: boolean;
  /** Undefined: the request has none. */
  readonly timeoutSeconds: number | undefined;
}

/** Objects, or rows of a table. */
export type Form =
  | { readonly kind: 'objects' }
  | {
      readonly kind: 'table';
      readonly apiVersion: 'meta.k8s.io/v1' | 'meta.k8s.io/v1beta1';
      readonly includeObject: IncludeObject;
    };

export interface Asked {
  /** Undefined: of all namespaces. */
  readonly namespace: string | undefined;
  readonly query: URLSearchParams;
  readonly accept: string | undefined;
}

export function readListQuery({ namespace, query, accept }: Asked): ListQuery | { readonly status: Status } {
  if ((query.get('labelSelector') ?? '') !== '') return { status: labelsNotSupported() };
  const chosen = parseFieldSelector(query.get('fieldSelector') ?? '');
  if (typeof chosen !== 'function') return { status: fieldNotSupported(chosen.unknown) };
  const timeout = query.get('timeoutSeconds') ?? '';
  return {
    selects: (log) => (namespace === undefined || log.metadata.namespace === namespace) && chosen(log),
    form: formOf(accept, query.get('includeObject')),
    isWatch: isTrue(query.get('watch')),
    resourceVersion: query.get('resourceVersion') ?? '',
    bookmarks: isTrue(query.get('allowWatchBookmarks')),
    initialEvents: isTrue(query.get('sendInitialEvents')),
    timeoutSeconds: /^\d{1,9}$/.test(timeout) && Number(timeout) > 0 ? Number(timeout) : undefined,
  };
}

/** As core reads a boolean. */
function isTrue(value: string | null): boolean {
  return value !== null && value !== '0' && value.toLowerCase() !== 'false';
}

/** The first form that the request accepts; an unknown one is objects, which every client reads. */
function formOf(accept: string | undefined, include: string | null): Form {
  for (const type of (accept ?? '').split(',')) {
    const [name, ...parameters] = type.split(';').map((each) => each.trim().toLowerCase());
    if (name === 'application/json' && parameters.every((each) => !each.startsWith('as='))) break;
    const isTable = parameters.includes('as=table') && parameters.includes('g=meta.k8s.io');
    const version = ['v1', 'v1beta1'].find((each) => parameters.includes(`v=${each}`));
    if (!isTable || version === undefined) continue;
    const includeObject = include === 'None' || include === 'Object' ? include : 'Metadata';
    return {
      kind: 'table',
      apiVersion: version === 'v1' ? 'meta.k8s.io/v1' : 'meta.k8s.io/v1beta1',
      includeObject,
    };
  }
  return { kind: 'objects' };
}

/** Returns a list in the form that was asked for. */
export function listDocument(
  logs: readonly ContainerLog[],
  resourceVersion: string,
  form: Form,
  nowMs: number,
): unknown {
  if (form.kind === 'table') return tableOf(logs, resourceVersion, { ...form, nowMs, hasColumns: true });
  return { kind: 'ContainerLogList', apiVersion: GROUP_VERSION, metadata: { resourceVersion }, items: logs };
}

/** Returns one object, as a list or an event of a watch shows it. */
export function objectDocument(
  log: ContainerLog,
  form: Form,
  { nowMs, hasColumns = true }: { readonly nowMs: number; readonly hasColumns?: boolean },
): unknown {
  if (form.kind === 'objects') return log;
  return tableOf([log], log.metadata.resourceVersion, { ...form, nowMs, hasColumns });
}

/** Returns the object of a bookmark, which has a version and nothing else. */
export function bookmarkDocument(resourceVersion: string, form: Form, isInitialEnd: boolean): unknown {
  const annotations = isInitialEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {};
  const metadata = { resourceVersion, ...annotations };
  if (form.kind === 'objects') return { kind: 'ContainerLog', apiVersion: GROUP_VERSION, metadata };
  return { kind: 'Table', apiVersion: form.apiVersion, metadata, columnDefinitions: null, rows: [] };
}

import type { ContainerLog } from './container-log.ts';

interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer';
  readonly description: string;
  /** 1: only with `-o wide`. */
  readonly priority: 0 | 1;
  readonly cell: (log: ContainerLog, nowMs: number) => string | number;
}

/** What `kubectl get containerlogs` prints. */
const COLUMNS: readonly Column[] = [
  { name: 'Pod', type: 'string', description: 'The pod', priority: 0, cell: ({ spec }) => spec.podName },
  {
    name: 'Container',
    type: 'string',
    description: 'The container',
    priority: 0,
    cell: ({ spec }) => spec.containerName,
  },
  {
    name: 'Run',
    type: 'integer',
    description: 'The restart count of the container at this run',
    priority: 0,
    cell: ({ spec }) => spec.run,
  },
  {
    name: 'Size',
    type: 'string',
    description: 'Bytes of all files on the disk of the node',
    priority: 0,
    cell: ({ status }) => sizeText(status.bytes),
  },
  {
    name: 'Files',
    type: 'integer',
    description: 'Number of files, with those that were rotated away',
    priority: 0,
    cell: ({ status }) => status.files.length,
  },
  {
    name: 'Last',
    type: 'string',
    description: 'Time since the newest file was written to',
    priority: 0,
    cell: ({ status }, nowMs) => ageText(nowMs - Date.parse(status.lastTime)),
  },
  { name: 'Node', type: 'string', description: 'The node', priority: 1, cell: ({ spec }) => spec.nodeName },
  {
    name: 'Pod UID',
    type: 'string',
    description: 'The UID of the pod; of a static pod, the hash of its definition',
    priority: 1,
    cell: ({ spec }) => spec.podUID,
  },
];

/** What of each object a table carries. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

export interface TableOptions {
  readonly apiVersion: 'meta.k8s.io/v1' | 'meta.k8s.io/v1beta1';
  readonly includeObject: IncludeObject;
  readonly nowMs: number;
  /** A watch sends the columns with its first event alone. */
  readonly hasColumns: boolean;
}

/** https://kubernetes.io/docs/reference/using-api/api-concepts/#receiving-resources-as-tables */
export function tableOf(
  logs: readonly ContainerLog[],
  resourceVersion: string,
  { apiVersion, includeObject, nowMs, hasColumns }: TableOptions,
) {
  const columnDefinitions = COLUMNS.map(({ name, type, description, priority }) => ({
    name,
    type,
    format: '',
    description,
    priority,
  }));
  return {
    kind: 'Table',
    apiVersion,
    metadata: { resourceVersion },
    columnDefinitions: hasColumns ? columnDefinitions : null,
    rows: logs.map((log) => ({
      cells: COLUMNS.map(({ cell }) => cell(log, nowMs)),
      object: included(log, apiVersion, includeObject),
    })),
  };
}

function included(log: ContainerLog, apiVersion: TableOptions['apiVersion'], include: IncludeObject) {
  if (include === 'None') return null;
  return include === 'Object' ? log : { kind: 'PartialObjectMetadata', apiVersion, metadata: log.metadata };
}

const UNITS = ['', 'Ki', 'Mi', 'Gi', 'Ti'];

/** As quantities of Kubernetes are written; with one digit after the point below 10. */
function sizeText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  const text = unit === 0 || value >= 9.95 ? String(Math.round(value)) : value.toFixed(1);
  return `${text}${UNITS[unit]}`;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** In the largest unit of which there are two; clocks of nodes may be ahead. */
function ageText(ms: number): string {
  const age = Math.max(0, ms);
  if (age < 2 * MINUTE_MS) return `${Math.floor(age / SECOND_MS)}s`;
  if (age < 2 * HOUR_MS) return `${Math.floor(age / MINUTE_MS)}m`;
  if (age < 2 * DAY_MS) return `${Math.floor(age / HOUR_MS)}h`;
  return `${Math.floor(age / DAY_MS)}d`;
}

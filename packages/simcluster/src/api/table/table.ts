import type { StoredObject } from '../../store/store.ts';
import type { ApiResource } from '../discovery/resources.ts';
import { metadataOnly, shown } from '../read/view.ts';
import { CHART_KIND_CELLS } from './chart-kinds.ts';
import { eventCells, namespaceCells, nodeCells, serviceCells } from './cluster.ts';
import type { ColumnRow } from './column-row.ts';
import { COLUMNS, CUSTOM_AGE, CUSTOM_NAME, DEFAULT_COLUMNS } from './columns.ts';
import { configMapCells, secretCells, serviceAccountCells } from './configuration.ts';
import { since } from './duration.ts';
import { podCells } from './pod.ts';
import { at, text } from './read.ts';
import {
  cronJobCells,
  daemonSetCells,
  deploymentCells,
  jobCells,
  replicaSetCells,
  replicationControllerCells,
  statefulSetCells,
} from './workloads.ts';

/** What each row contains besides its cells (the parameter includeObject). */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

const CELLS: Readonly<Record<string, (object: unknown, nowMs: number) => readonly unknown[]>> = {
  ...CHART_KIND_CELLS,
  pods: podCells,
  nodes: nodeCells,
  namespaces: namespaceCells,
  services: serviceCells,
  configmaps: configMapCells,
  secrets: secretCells,
  serviceaccounts: serviceAccountCells,
  events: eventCells,
  replicationcontrollers: replicationControllerCells,
  'deployments.apps': deploymentCells,
  'replicasets.apps': replicaSetCells,
  'statefulsets.apps': statefulSetCells,
  'daemonsets.apps': daemonSetCells,
  'jobs.batch': jobCells,
  'cronjobs.batch': cronJobCells,
};

interface Row {
  readonly cells: readonly unknown[];
  readonly object: unknown;
  readonly conditions?: readonly unknown[];
}

export interface Table {
  readonly kind: 'Table';
  readonly apiVersion: 'meta.k8s.io/v1';
  readonly metadata: unknown;
  readonly columnDefinitions: readonly unknown[] | null;
  readonly rows: readonly Row[];
}

/**
 * Returns objects in the table that kubectl get prints (kubernetes.io/docs/reference/using-api/api-concepts: Table).
 */
export function tableOf(
  type: ApiResource,
  objects: readonly StoredObject[],
  metadata: unknown,
  include: IncludeObject,
  nowMs: number,
): Table {
  const columns = columnsOf(type);
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: columns.map(([name, kind, format, priority, description]) => ({
      name,
      type: kind,
      format,
      description,
      priority,
    })),
    rows: objects.map((object) => rowOf(type, object, include, nowMs)),
  };
}

function columnsOf(type: ApiResource): readonly ColumnRow[] {
  if (type.custom) {
    const own = (type.printerColumns ?? []).map(
      (column): ColumnRow => [
        column.name,
        column.type,
        '',
        column.priority ?? 0,
        column.description ?? `Custom resource definition column (in JSONPath format): ${column.jsonPath}`,
      ],
    );
    return own.length === 0 ? [CUSTOM_NAME, CUSTOM_AGE] : [CUSTOM_NAME, ...own];
  }
  if (type.storedAs === 'replicationcontrollers') return COLUMNS['replicasets.apps'] ?? DEFAULT_COLUMNS;
  return Object.hasOwn(COLUMNS, type.storedAs)
    ? (COLUMNS[type.storedAs] ?? DEFAULT_COLUMNS)
    : DEFAULT_COLUMNS;
}

function rowOf(type: ApiResource, object: StoredObject, include: IncludeObject, nowMs: number): Row {
  const phase = text(at(object, 'status', 'phase'));
  const finished = type.storedAs === 'pods' && (phase === 'Succeeded' || phase === 'Failed');
  return {
    cells: cellsOf(type, object, nowMs),
    ...(finished ? { conditions: [completedCondition(phase)] } : {}),
    object: includedObject(type, object, include),
  };
}

function includedObject(type: ApiResource, object: StoredObject, include: IncludeObject) {
  switch (include) {
    case 'None':
      return null;
    case 'Object':
      return shown(type, object);
    case 'Metadata':
      return metadataOnly(object);
  }
}

function completedCondition(phase: string) {
  const message = phase === 'Succeeded' ? 'The pod has completed successfully.' : 'The pod failed.';
  return { type: 'Completed', status: 'True', reason: phase, message };
}

function cellsOf(type: ApiResource, object: StoredObject, nowMs: number): readonly unknown[] {
  const cells = Object.hasOwn(CELLS, type.storedAs) ? CELLS[type.storedAs] : undefined;
  if (cells !== undefined && !type.custom) return cells(object, nowMs);
  const { name, creationTimestamp } = object.metadata;
  if (!type.custom) return [name, creationTimestamp ?? null];
  const own = type.printerColumns ?? [];
  if (own.length === 0) return [name, since(creationTimestamp, nowMs)];
  return [name, ...own.map((column) => customCell(object, column.jsonPath, column.type, nowMs))];
}

/** Reads the simple JSON paths that definitions use: `.spec.replicas`, `.status.conditions`, without filters. */
function customCell(object: StoredObject, jsonPath: string, kind: string, nowMs: number): unknown {
  const value = at(object, ...jsonPath.split('.').filter((key) => key !== ''));
  if (value === undefined || value === null) return null;
  if (kind === 'date') return since(value, nowMs);
  return typeof value === 'object' ? JSON.stringify(value) : value;
}

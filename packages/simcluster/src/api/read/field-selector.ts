import { badRequest } from '../../api-error.ts';
import type { StoredObject } from '../../store/store.ts';
import type { ApiResource } from '../discovery/resources.ts';

export interface FieldRequirement {
  readonly field: string;
  readonly negated: boolean;
  readonly value: string;
}

/**
 * The fields that field selectors support for each resource (the field label conversions of
 * k8s.io/kubernetes/pkg/apis).
 */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  pods: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.podIPs',
    'status.nominatedNodeName',
  ],
  nodes: ['spec.unschedulable'],
  namespaces: ['status.phase'],
  secrets: ['type'],
  services: ['spec.clusterIP', 'spec.type'],
  replicationcontrollers: ['status.replicas'],
  'replicasets.apps': ['status.replicas'],
  'jobs.batch': ['status.successful'],
  events: [
    'involvedObject.kind',
    'involvedObject.namespace',
    'involvedObject.name',
    'involvedObject.uid',
    'involvedObject.apiVersion',
    'involvedObject.resourceVersion',
    'involvedObject.fieldPath',
    'reason',
    'reportingComponent',
    'source',
    'type',
  ],
};

/** Fields of events.k8s.io/v1, with their v1 names (pkg/apis/events/v1/conversion.go). */
const FIELDS_OF_EVENTS_V1: Readonly<Record<string, string>> = {
  'metadata.name': 'metadata.name',
  'metadata.namespace': 'metadata.namespace',
  reason: 'reason',
  type: 'type',
  reportingController: 'reportingComponent',
  'regarding.kind': 'involvedObject.kind',
  'regarding.namespace': 'involvedObject.namespace',
  'regarding.name': 'involvedObject.name',
  'regarding.uid': 'involvedObject.uid',
  'regarding.apiVersion': 'involvedObject.apiVersion',
  'regarding.resourceVersion': 'involvedObject.resourceVersion',
  'regarding.fieldPath': 'involvedObject.fieldPath',
};

/**
 * Parses a field selector with the grammar and the error texts of k8s.io/apimachinery/pkg/fields.
 * @throws ApiError 400, also for a field that the resource does not support
 */
export function parseFieldSelector(
  text: string,
  type: Pick<ApiResource, 'storedAs' | 'group'>,
): readonly FieldRequirement[] {
  if (text === '') return [];
  const terms = text.match(/(?:\\.|[^,\\])+/g) ?? [];
  return terms.map((term) => {
    const match = /^((?:\\.|[^=!\\])*?)(==|!=|=)((?:.|\n)*)$/.exec(term);
    if (match === null) throw badRequest(`invalid selector: '${text}'; can't understand '${term}'`);
    const field = storedField(match[1] ?? '', type);
    return { field, negated: match[2] === '!=', value: unescaped(match[3] ?? '') };
  });
}

/** Returns the field's name in stored objects. */
function storedField(field: string, type: Pick<ApiResource, 'storedAs' | 'group'>): string {
  if (type.storedAs === 'events' && type.group !== '') {
    if (!Object.hasOwn(FIELDS_OF_EVENTS_V1, field)) throw badRequest(`field label not supported: ${field}`);
    return FIELDS_OF_EVENTS_V1[field] ?? field;
  }
  checkField(field, type);
  return field;
}

function checkField(field: string, type: Pick<ApiResource, 'storedAs'>): void {
  if (field === 'metadata.name' || field === 'metadata.namespace') return;
  const offered = Object.hasOwn(FIELDS, type.storedAs) ? FIELDS[type.storedAs] : undefined;
  if (offered === undefined) {
    throw badRequest(
      `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
    );
  }
  if (!offered.includes(field)) throw badRequest(`field label not supported: ${field}`);
}

function unescaped(value: string): string {
  return value.replace(/\\([\\,=])/g, '$1');
}

export function fieldsMatch(requirements: readonly FieldRequirement[], object: StoredObject): boolean {
  return requirements.every(({ field, negated, value }) => (fieldValue(object, field) === value) !== negated);
}

/** Returns a field's value; an absent one is the zero value of its Go type: empty, `false` or `0`. */
function fieldValue(object: StoredObject, field: string): string {
  if (field === 'source') return String(read(object, ['source', 'component']) ?? '');
  if (field === 'status.podIPs') return String(read(object, ['status', 'podIP']) ?? '');
  if (field === 'status.successful') return String(read(object, ['status', 'succeeded']) ?? 0);
  const value = read(object, field.split('.'));
  if (value !== undefined && value !== null) return String(value);
  if (field === 'spec.hostNetwork' || field === 'spec.unschedulable') return 'false';
  return field === 'status.replicas' ? '0' : '';
}

function read(object: unknown, path: readonly string[]): unknown {
  let value: unknown = object;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

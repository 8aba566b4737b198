import { ApiError, type StatusCause } from '../../api-error.ts';
import { sameJson } from '../../json-value.ts';
import type { StoredObject } from '../../store/store.ts';
import type { ApiContext } from '../context.ts';
import { type ApiResource, apiVersionOf } from '../discovery/resources.ts';
import { applyConfiguration } from '../fields/apply.ts';
import { type Conflict, compareStates, ownUpdate, type Untouched } from '../fields/change-owners.ts';
import { pathsOf, pathText } from '../fields/field-set.ts';
import { isReset, type Owner, type OwnerName, readOwners, writeOwners } from '../fields/managed.ts';
import { withZeroValues } from '../fields/zero-values.ts';
import { type ApiRequest, flag, parameter } from '../http/request.ts';
import type { RequestInfo } from '../http/request-info.ts';
import { shown } from '../read/view.ts';
import { schemaOf } from '../schema/schema.ts';
import { withoutEmpty } from '../schema/without-empty.ts';

/** Maximum length of a manager's name from a User-Agent. */
const MAX_NAME_LENGTH = 128;
/** The owner of fields that were set before ownership was recorded. */
const BEFORE_FIRST_APPLY = 'before-first-apply';

/**
 * Records after a POST, PUT or PATCH who owns the changed fields: metadata.managedFields of the new state. Changes
 * `after`. `body` is the client's text, which may reset the list.
 */
export function noteUpdate(
  context: ApiContext,
  request: ApiRequest,
  info: RequestInfo,
  type: ApiResource,
  before: StoredObject | undefined,
  after: StoredObject,
  body: Readonly<Record<string, unknown>>,
): void {
  const shape = schemaOf(context.store, type);
  const asked = (body.metadata as Readonly<Record<string, unknown>> | undefined)?.managedFields;
  const known = before?.metadata.managedFields;
  const reset = info.subresource === '' && isReset(asked);
  let owners = reset ? new Map<string, Owner>() : readOwners(info.subresource === '' ? asked : known);
  if (!reset && (owners === undefined || owners.size === 0)) owners = readOwners(known);
  owners ??= new Map();
  // An object without recorded owners stays so until its first apply.
  if (before === undefined || owners.size > 0) {
    const state = (object: StoredObject | undefined) =>
      withZeroValues(shape, object === undefined ? {} : bare(type, object));
    const changes = compareStates(shape, state(before), state(after), untouchedBy(type, info));
    ownUpdate(owners, ownerName(request, info, type, 'Update'), changes, timeNow(context));
  }
  const entries = writeOwners(owners.values());
  after.metadata = { ...after.metadata };
  if (entries === undefined) delete after.metadata.managedFields;
  else after.metadata.managedFields = [...entries];
}

/**
 * Returns the object after a server-side apply, and its owners.
 * @throws ApiError 409 if others own fields that it would change
 */
export function noteApply(
  context: ApiContext,
  request: ApiRequest,
  info: RequestInfo,
  type: ApiResource,
  before: StoredObject | undefined,
  config: Readonly<Record<string, unknown>>,
): { readonly object: Record<string, unknown>; readonly managedFields: readonly unknown[] | undefined } {
  const shape = schemaOf(context.store, type);
  const { name, namespace } = info;
  const metadata = { name, ...(type.namespaced ? { namespace } : {}) };
  const live = withZeroValues(shape, before === undefined ? { metadata } : bare(type, before));
  const untouched = untouchedBy(type, info);
  const time = timeNow(context);
  const owners = readOwners(before?.metadata.managedFields) ?? new Map<string, Owner>();
  if (before !== undefined && owners.size === 0) {
    const changes = compareStates(shape, withZeroValues(shape, {}), live, untouched);
    const first = { ...ownerName(request, info, type, 'Update'), manager: BEFORE_FIRST_APPLY };
    ownUpdate(owners, first, changes, time);
  }
  const applied = applyConfiguration({
    shape,
    live,
    config,
    owners,
    name: ownerName(request, info, type, 'Apply'),
    force: flag(request, 'force'),
    time,
    untouched,
  });
  if ('conflicts' in applied) throw applyConflict(applied.conflicts);
  const object = withoutEmpty(shape, applied.object) as Record<string, unknown>;
  return { object, managedFields: writeOwners(applied.owners.values()) };
}

export function withManagedFields(
  object: StoredObject,
  managedFields: readonly unknown[] | undefined,
): StoredObject {
  const { managedFields: _old, ...metadata } = object.metadata;
  return {
    ...object,
    metadata: (managedFields === undefined
      ? metadata
      : { ...metadata, managedFields }) as StoredObject['metadata'],
  };
}

/** Whether only the times in managedFields differ: such a write changes nothing. */
export function sameButForTimes(before: StoredObject, after: StoredObject): boolean {
  const untimed = (object: StoredObject) => ({
    ...object,
    metadata: {
      ...object.metadata,
      managedFields: object.metadata.managedFields?.map((entry) => ({ ...(entry as object), time: '' })),
    },
  });
  return sameJson(untimed(before), untimed(after));
}

/** Returns the object as this API version shows it, without managedFields. */
function bare(type: ApiResource, object: StoredObject): Record<string, unknown> {
  const { managedFields: _owners, ...metadata } = object.metadata;
  return { ...shown(type, object), metadata };
}

function ownerName(
  request: ApiRequest,
  { subresource }: RequestInfo,
  type: ApiResource,
  operation: 'Apply' | 'Update',
): OwnerName {
  const asked = parameter(request, 'fieldManager');
  const manager = asked === '' ? agentName(request.headers['user-agent'] ?? '') : asked;
  return {
    manager: manager === '' ? 'unknown' : manager,
    operation,
    apiVersion: apiVersionOf(type),
    subresource,
  };
}

/** Returns the part of a User-Agent before its first slash. */
function agentName(userAgent: string): string {
  const name = (userAgent.split('/')[0] ?? '').replace(/[^\x20-\x7e]/g, '');
  return name.slice(0, MAX_NAME_LENGTH);
}

/**
 * Returns the fields that a write cannot change: only the status subresource changes the status, and it changes nothing
 * else.
 */
function untouchedBy(type: ApiResource, info: RequestInfo): Untouched {
  if (info.subresource === 'status') return [['spec'], ['metadata', 'labels']];
  return type.subresources.includes('status') ? [['status']] : [];
}

function timeNow({ clock }: ApiContext): string {
  return `${new Date(clock.now()).toISOString().slice(0, 19)}Z`;
}

/** Makes the error with the wording of k8s.io/apimachinery/pkg/util/managedfields. */
function applyConflict(conflicts: readonly Conflict[]): ApiError {
  const all = conflicts.flatMap(({ owner, set }) =>
    pathsOf(set).map((path) => ({ owner: ownerText(owner), path: pathText(path) })),
  );
  const causes: StatusCause[] = all.map(({ owner, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${owner}`,
    field: path,
  }));
  const [first] = all;
  if (all.length === 1 && first !== undefined) {
    const message = `Apply failed with 1 conflict: conflict with ${first.owner}: ${first.path}`;
    return new ApiError(409, 'Conflict', message, { causes });
  }
  const owners = [...new Set(all.map(({ owner }) => owner))].sort();
  const lines = owners.flatMap((owner) => [
    `conflicts with ${owner}:`,
    ...all.filter((one) => one.owner === owner).map(({ path }) => `- ${path}`),
  ]);
  return new ApiError(409, 'Conflict', `Apply failed with ${all.length} conflicts: ${lines.join('\n')}`, {
    causes,
  });
}

function ownerText({ manager, operation, subresource, apiVersion }: Owner): string {
  const quoted = JSON.stringify(manager);
  const named = subresource === '' ? quoted : `${quoted} with subresource ${JSON.stringify(subresource)}`;
  return operation === 'Apply' ? named : `${named} using ${apiVersion}`;
}

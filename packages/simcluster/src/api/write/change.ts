import { checkEscalation } from '../../access/escalation.ts';
import { forbidden } from '../../access/forbidden.ts';
import { type Attributes, authorize } from '../../access/rbac.ts';
import { ApiError, badRequest, conflict, notFound } from '../../api-error.ts';
import { sameJson } from '../../json-value.ts';
import type { StoredObject } from '../../store/store.ts';
import type { ApiContext } from '../context.ts';
import { fromEventsV1 } from '../discovery/event-groups.ts';
import type { ApiResource } from '../discovery/resources.ts';
import { contentType, readObject } from '../http/body.ts';
import { negotiate } from '../http/negotiate.ts';
import { objectReply } from '../http/reply.ts';
import type { ApiRequest, Reply } from '../http/request.ts';
import type { RequestInfo } from '../http/request-info.ts';
import { patched } from '../patch/patched.ts';
import { scaleOf, wantedReplicas } from '../read/scale.ts';
import { shown } from '../read/view.ts';
import { schemaOf } from '../schema/schema.ts';
import { array, at, fields } from '../table/read.ts';
import { checkChange } from './check-change.ts';
import { checkCustom } from './check-custom.ts';
import { newObject, storeNew } from './create.ts';
import { fillDefaults } from './defaults.ts';
import { checkedBody, checkedPatch } from './field-validation.ts';
import { noteApply, noteUpdate, sameButForTimes, withManagedFields } from './owners-of-write.ts';
import { validate } from './validate.ts';
import { isDryRun, writtenReply } from './written-reply.ts';

const APPLY_PATCH = 'application/apply-patch+yaml';

/** Handles PUT and PATCH of an object, its status or its scale. */
export async function change(
  context: ApiContext,
  request: ApiRequest,
  info: RequestInfo,
  type: ApiResource,
): Promise<Reply> {
  const { store } = context;
  const namespace = type.namespaced ? info.namespace : undefined;
  const before = store.get(type.storedAs, namespace, info.name);
  const isScale = info.subresource === 'scale';
  const target = before === undefined || !isScale ? before : scaleOf(before);
  const shownBefore = target === undefined || isScale ? target : shown(type, target as StoredObject);
  if (info.verb === 'patch' && contentType(request) === APPLY_PATCH) {
    return apply(context, request, info, type);
  }
  const shape = schemaOf(store, type);
  const body =
    info.verb === 'patch'
      ? await patched(request, type, shape, shownBefore)
      : await readObject(request, type.kind);
  if (before === undefined) throw notFound(type, info.name);
  const check = info.verb === 'patch' ? checkedPatch : checkedBody;
  const wanted = isScale ? fields(body) : await check(request, type, shape, fields(body));
  checkIdentity(type, info, before, fields(wanted.metadata));
  const after = isScale ? scaled(before, wanted) : merged(type, info, before, wanted);
  if (!isScale) fillDefaults(store, type, after);
  // The client that scales then owns the replicas; a Scale itself has no owners.
  noteUpdate(context, request, info, type, before, after, isScale ? {} : wanted);
  return storeChange(context, request, info, type, before, after);
}

/**
 * Checks name and resourceVersion.
 * @throws ApiError 400, 409
 */
function checkIdentity(
  type: ApiResource,
  info: RequestInfo,
  before: StoredObject | undefined,
  metadata: Readonly<Record<string, unknown>>,
): void {
  if (metadata.name !== undefined && metadata.name !== info.name) {
    throw badRequest(
      `the name of the object (${String(metadata.name)}) does not match the name on the URL (${info.name})`,
    );
  }
  const version = metadata.resourceVersion;
  if (version !== undefined && version !== '' && version !== before?.metadata.resourceVersion) {
    throw conflict(
      type,
      info.name,
      'the object has been modified; please apply your changes to the latest version and try again',
    );
  }
}

async function storeChange(
  context: ApiContext,
  request: ApiRequest,
  info: RequestInfo,
  type: ApiResource,
  before: StoredObject,
  after: StoredObject,
): Promise<Reply> {
  const { store } = context;
  const namespace = type.namespaced ? info.namespace : undefined;
  const isScale = info.subresource === 'scale';
  if (sameButForTimes(before, after)) return changedReply(context, request, type, before, isScale);
  if (info.subresource === '') {
    if (!isOfCollector(before, after)) checkEscalation(store, { ...info, user: request.user }, after);
    validate(type, after);
    await checkCustom(store, type, after);
    checkChange(type, before, after);
  }
  countGeneration(before, after);
  if (isDryRun(request)) return changedReply(context, request, type, after, isScale);
  const written = store.update(type.storedAs, namespace, info.name, (object) => {
    for (const key of Object.keys(object)) delete object[key];
    Object.assign(object, structuredClone(after));
    return undefined;
  });
  if (written === undefined) throw notFound(type, info.name);
  if (written.metadata.deletionTimestamp !== undefined && isFree(type, written)) {
    store.remove(type.storedAs, namespace, info.name);
  }
  return changedReply(context, request, type, written, isScale);
}

/** Whether a change touches only the fields that the garbage collector uses; such a change grants no permissions. */
function isOfCollector(before: StoredObject, after: StoredObject): boolean {
  const { ownerReferences, finalizers, managedFields, resourceVersion } = before.metadata;
  const kept = { ownerReferences, finalizers, managedFields, resourceVersion };
  return sameJson({ ...after, metadata: { ...after.metadata, ...kept } }, before);
}

/** Performs a server-side apply: creates the object, or merges the configuration into it. */
async function apply(
  context: ApiContext,
  request: ApiRequest,
  info: RequestInfo,
  type: ApiResource,
): Promise<Reply> {
  const { readConfiguration } = await import('./apply-patch.ts');
  const { store } = context;
  const config = await readConfiguration(request, info, type, schemaOf(store, type));
  const before = store.get(type.storedAs, type.namespaced ? info.namespace : undefined, info.name);
  checkIdentity(type, info, before, fields(config.metadata));
  if (before !== undefined) {
    const wanted = noteApply(context, request, info, type, before, config);
    const after = merged(type, info, before, wanted.object);
    fillDefaults(context.store, type, after);
    return storeChange(context, request, info, type, before, withManagedFields(after, wanted.managedFields));
  }
  if (info.subresource !== '') throw notFound(type, info.name);
  // Creating an object requires the create permission for its name, in addition to the patch permission.
  const making: Attributes = { kind: 'resource', ...info, verb: 'create' };
  if (!authorize(context.store, request.user, making).allowed) throw forbidden(request.user, making);
  const wanted = noteApply(context, request, info, type, undefined, config);
  const object = newObject(context, info, type, wanted.object);
  fillDefaults(context.store, type, object);
  try {
    return await storeNew(context, request, info, type, withManagedFields(object, wanted.managedFields));
  } catch (error) {
    // Another request created it first: apply the configuration to the current state.
    if (error instanceof ApiError && error.reason === 'AlreadyExists')
      return apply(context, request, info, type);
    throw error;
  }
}

/**
 * Whether an object under deletion can be removed because its last finalizer is gone. Pods are removed when their
 * containers have stopped.
 */
function isFree(type: ApiResource, object: StoredObject): boolean {
  const kept = type.storedAs === 'pods' || type.storedAs === 'namespaces';
  return !kept && (object.metadata.finalizers ?? []).length === 0;
}

function scaled(before: StoredObject, scale: Readonly<Record<string, unknown>>): StoredObject {
  const replicas = wantedReplicas(scale);
  if (replicas < 0) {
    throw new ApiError(
      422,
      'Invalid',
      `Scale.autoscaling "${before.metadata.name}" is invalid: spec.replicas: Invalid value: ${replicas}: must be greater than or equal to 0`,
    );
  }
  if (before.spec?.replicas === replicas) return before;
  return { ...before, spec: { ...before.spec, replicas } };
}

/**
 * Merges the fields that the client may change: everything except the status, or only the status on the status
 * subresource.
 */
function merged(
  type: ApiResource,
  info: RequestInfo,
  before: StoredObject,
  body: Readonly<Record<string, unknown>>,
): StoredObject {
  const wanted = type.storedAs === 'events' && type.group !== '' ? fromEventsV1(body) : body;
  const status = wanted.status as StoredObject['status'];
  if (info.subresource === 'status') return { ...before, ...(status === undefined ? {} : { status }) };
  const { uid, creationTimestamp, resourceVersion, deletionTimestamp, deletionGracePeriodSeconds } =
    before.metadata;
  const fixed = { uid, creationTimestamp, resourceVersion, deletionTimestamp, deletionGracePeriodSeconds };
  const metadata: Record<string, unknown> = { ...fields(wanted.metadata), ...fixed };
  metadata.name = before.metadata.name;
  if (before.metadata.namespace !== undefined) metadata.namespace = before.metadata.namespace;
  for (const key of Object.keys(metadata)) if (metadata[key] === undefined) delete metadata[key];
  if (before.metadata.generation !== undefined) metadata.generation = before.metadata.generation;
  const after: Record<string, unknown> = {
    ...wanted,
    apiVersion: before.apiVersion,
    kind: before.kind,
    metadata,
  };
  if (type.subresources.includes('status')) {
    if (before.status === undefined) delete after.status;
    else after.status = before.status;
  }
  keepAllocated(type, info, before, after as StoredObject);
  return after as StoredObject;
}

/** Keeps values that the server assigned to an object, even if a client writes it without them. Changes `after`. */
function keepAllocated(
  type: ApiResource,
  info: RequestInfo,
  before: StoredObject,
  after: StoredObject,
): void {
  if (type.storedAs === 'namespaces') {
    const finalizers = at(info.subresource === 'finalize' ? after : before, 'spec', 'finalizers');
    after.spec = finalizers === undefined ? {} : { finalizers };
    return;
  }
  if (type.storedAs !== 'services' || after.spec?.type === 'ExternalName') return;
  const old: Record<string, unknown> = before.spec ?? {};
  const kept: Record<string, unknown> = { ...after.spec };
  for (const field of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'healthCheckNodePort']) {
    if ((kept[field] ?? '') === '' && old[field] !== undefined) kept[field] = old[field];
  }
  if (Array.isArray(kept.ports)) {
    kept.ports = array(kept.ports).map((port) => {
      const same = array(old.ports).find((one) => one.port === port.port && one.nodePort !== undefined);
      const inherits = kept.type !== 'ClusterIP' && (port.nodePort ?? 0) === 0 && same !== undefined;
      return inherits ? { ...port, nodePort: same.nodePort } : port;
    });
  }
  after.spec = kept;
}

/** Increases the generation if the spec changed. Changes the object. */
function countGeneration(before: StoredObject, after: StoredObject): void {
  const { generation } = before.metadata;
  if (generation === undefined || sameJson(before.spec, after.spec)) return;
  after.metadata = { ...after.metadata, generation: generation + 1 };
}

function changedReply(
  context: ApiContext,
  request: ApiRequest,
  type: ApiResource,
  object: StoredObject,
  isScale: boolean,
): Promise<Reply> {
  if (isScale) return objectReply(request, negotiate(request, { transforms: true }), scaleOf(object));
  return writtenReply(context, request, type, object, 200);
}

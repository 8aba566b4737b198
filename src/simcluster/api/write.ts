import { randomInt, randomUUID } from 'node:crypto';
import { ApiError, badRequest, conflict, methodNotAllowed, notFound } from '../api-error.ts';
import type { StoredObject } from '../store.ts';
import { readObject } from './body.ts';
import { applyDefaults } from './defaults.ts';
import { deleteCollection, deleteOne, readDeleteOptions } from './delete.ts';
import { fromEventsV1 } from './event-groups.ts';
import type { ApiContext } from './handler.ts';
import { negotiate } from './negotiate.ts';
import { patched } from './patch/patched.ts';
import { objectReply } from './reply.ts';
import type { ApiRequest, Reply } from './request.ts';
import type { RequestInfo } from './request-info.ts';
import { type ApiResource, apiVersionOf } from './resources.ts';
import { reviewOf } from './reviews.ts';
import { scaleOf, wantedReplicas } from './scale.ts';
import { fields } from './table/read.ts';
import { tableOf } from './table/table.ts';
import { metadataOnly, shown } from './view.ts';

/** create, update, patch, delete and deletecollection. */
export async function writeReply(
  context: ApiContext,
  request: ApiRequest,
  info: RequestInfo,
  type: ApiResource,
): Promise<Reply> {
  switch (info.verb) {
    case 'create':
      return info.subresource === 'eviction'
        ? evict(context, request, info, type)
        : create(context, request, info, type);
    case 'update':
    case 'patch':
      return change(context, request, info, type);
    case 'delete':
    case 'deletecollection': {
      const format = negotiate(request, { transforms: false });
      const options = await readDeleteOptions(request);
      if (info.verb === 'delete')
        return objectReply(request, format, deleteOne(context, info, type, options));
      return objectReply(request, format, deleteCollection(context, request, info, type, options));
    }
    default:
      throw methodNotAllowed();
  }
}

async function create(
  context: ApiContext,
  request: ApiRequest,
  info: RequestInfo,
  type: ApiResource,
): Promise<Reply> {
  const { store, clock } = context;
  if (info.name !== '') throw methodNotAllowed();
  const format = negotiate(request, { transforms: true });
  const body = await readObject(request, type.kind);
  if (body === undefined)
    throw badRequest(`the object provided is unrecognized (must be of type ${type.kind}): empty`);
  checkKind(type, body);
  const review = reviewOf(store, clock, request, info.resource, body);
  if (review !== undefined) return objectReply(request, { ...format, as: undefined }, review, 201);

  const { validate } = await import('./validate.ts');
  const object = newObject(context, info, type, body);
  validate(type, object);
  applyDefaults(store, type, object);
  const { namespace } = object.metadata;
  if (namespace !== undefined && store.get('namespaces', undefined, namespace) === undefined) {
    throw notFound({ group: '', plural: 'namespaces' }, namespace);
  }
  const created = isDryRun(request) ? object : store.create(type.storedAs, object);
  return replyWith(context, request, type, created, 201);
}

function newObject(
  { clock }: ApiContext,
  info: RequestInfo,
  type: ApiResource,
  body: Readonly<Record<string, unknown>>,
): StoredObject {
  const metadata = { ...fields(body.metadata) } as StoredObject['metadata'];
  if (type.namespaced) {
    if (metadata.namespace !== undefined && metadata.namespace !== info.namespace) {
      throw badRequest(
        'the namespace of the provided object does not match the namespace sent on the request',
      );
    }
    if (info.namespace !== undefined) metadata.namespace = info.namespace;
  } else delete metadata.namespace;
  if ((metadata.name ?? '') === '' && typeof metadata.generateName === 'string') {
    metadata.name = `${metadata.generateName}${randomSuffix()}`;
  }
  metadata.uid = randomUUID();
  metadata.creationTimestamp = `${new Date(clock.now()).toISOString().slice(0, 19)}Z`;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata.generation;
  const rest = type.storedAs === 'events' && type.group !== '' ? fromEventsV1(body) : body;
  const apiVersion = type.storedAs === 'events' ? 'v1' : apiVersionOf(type);
  return { ...structuredClone(rest), apiVersion, kind: type.kind, metadata };
}

/** Five letters and digits without those that make words or look alike (k8s.io/apimachinery/pkg/util/rand). */
function randomSuffix(): string {
  const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
  return Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join('');
}

function checkKind(type: ApiResource, body: Readonly<Record<string, unknown>>): void {
  const { kind, apiVersion } = body;
  if ((kind ?? type.kind) === type.kind && (apiVersion ?? apiVersionOf(type)) === apiVersionOf(type)) return;
  throw badRequest(
    `${String(kind)} in version ${JSON.stringify(apiVersion)} cannot be handled as a ${type.kind}`,
  );
}

export function isDryRun(request: ApiRequest): boolean {
  return request.query.getAll('dryRun').includes('All');
}

async function change(
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
  const body =
    info.verb === 'patch' ? await patched(request, type, shownBefore) : await readObject(request, type.kind);
  if (before === undefined) throw notFound(type, info.name);
  const wanted = fields(body);
  const metadata = fields(wanted.metadata);
  if (metadata.name !== undefined && metadata.name !== info.name) {
    throw badRequest(
      `the name of the object (${String(metadata.name)}) does not match the name on the URL (${info.name})`,
    );
  }
  const version = metadata.resourceVersion;
  if (version !== undefined && version !== '' && version !== before.metadata.resourceVersion) {
    throw conflict(
      type,
      info.name,
      'the object has been modified; please apply your changes to the latest version and try again',
    );
  }
  const after = isScale ? scaled(before, wanted) : merged(type, info, before, wanted);
  if (same(before, after) || isDryRun(request)) return changedReply(context, request, type, after, isScale);
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

/** On its way out, and the last finalizer is gone. Pods go when their containers have stopped. */
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
  const metadata = { ...before.metadata, generation: (before.metadata.generation ?? 1) + 1 };
  return { ...before, metadata, spec: { ...before.spec, replicas } };
}

/** What the client may change: all but the status, or on the status subresource the status alone. */
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
  if (before.metadata.generation !== undefined) {
    const changed = !same(before.spec, wanted.spec);
    metadata.generation = before.metadata.generation + (changed ? 1 : 0);
  }
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
  return after as StoredObject;
}

/** Equality of JSON, whatever the order of keys. */
function same(a: unknown, b: unknown): boolean {
  const canonical = (value: unknown) =>
    JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([x], [y]) => (x < y ? -1 : 1)))
        : inner,
    );
  return canonical(a) === canonical(b);
}

function changedReply(
  context: ApiContext,
  request: ApiRequest,
  type: ApiResource,
  object: StoredObject,
  isScale: boolean,
): Promise<Reply> {
  if (isScale) return objectReply(request, negotiate(request, { transforms: true }), scaleOf(object));
  return replyWith(context, request, type, object, 200);
}

function replyWith(
  { clock }: ApiContext,
  request: ApiRequest,
  type: ApiResource,
  object: StoredObject,
  status: number,
): Promise<Reply> {
  const format = negotiate(request, { transforms: true });
  if (format.as === 'Table') {
    const metadata = { resourceVersion: object.metadata.resourceVersion };
    return objectReply(request, format, tableOf(type, [object], metadata, 'Metadata', clock.now()), status);
  }
  const body = format.as === undefined ? shown(type, object) : metadataOnly(object);
  return objectReply(request, format, body, status);
}

/** The Eviction API: as a deletion, which nothing here holds back. */
async function evict(
  context: ApiContext,
  request: ApiRequest,
  info: RequestInfo,
  type: ApiResource,
): Promise<Reply> {
  const body = fields(await readObject(request, 'Eviction'));
  const options = fields(body.deleteOptions);
  const grace = typeof options.gracePeriodSeconds === 'number' ? options.gracePeriodSeconds : undefined;
  deleteOne(context, info, type, {
    gracePeriodSeconds: grace,
    propagation: undefined,
    dryRun: isDryRun(request),
  });
  const success = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
  return objectReply(request, negotiate(request, { transforms: false }), success, 201);
}

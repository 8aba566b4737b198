import { conflict, invalid, notFound } from '../../api-error.ts';
import type { StoredObject } from '../../store/store.ts';
import type { ApiContext } from '../context.ts';
import { type ApiResource, apiVersionOf } from '../discovery/resources.ts';
import { readObject } from '../http/body.ts';
import type { ApiRequest } from '../http/request.ts';
import type { RequestInfo } from '../http/request-info.ts';
import { readListOptions, selects } from '../read/list-options.ts';
import { listMetadata, shown, shownInList } from '../read/view.ts';
import { at, fields, number, text } from '../table/read.ts';

/** DeleteOptions, from the body or the query. */
export interface DeleteOptions {
  readonly gracePeriodSeconds: number | undefined;
  readonly propagation: string | undefined;
  readonly dryRun: boolean;
  readonly uid?: string;
  readonly resourceVersion?: string;
}

const POLICIES = ['Foreground', 'Background', 'Orphan'];

/**
 * Reads the options.
 * @throws ApiError 422 for an unknown propagation policy
 */
export async function readDeleteOptions(request: ApiRequest): Promise<DeleteOptions> {
  const body = fields(await readObject(request, 'DeleteOptions'));
  const { query } = request;
  const grace = query.get('gracePeriodSeconds');
  const policy = query.get('propagationPolicy');
  const propagation = policy ?? (text(body.propagationPolicy) || undefined);
  if (propagation !== undefined && !POLICIES.includes(propagation)) {
    const message = `Invalid value: ${JSON.stringify(propagation)}: DeletionPropagation need to be one of ["Foreground","Background","Orphan",nil]`;
    const causes = [{ reason: 'FieldValueInvalid', message, field: 'propagationPolicy' }];
    throw invalid({ group: '', kind: 'DeleteOptions' }, '', causes);
  }
  const inBody = typeof body.gracePeriodSeconds === 'number' ? body.gracePeriodSeconds : undefined;
  const preconditions = fields(body.preconditions);
  const dryRun = Array.isArray(body.dryRun) ? body.dryRun : [];
  return {
    gracePeriodSeconds: grace !== null && /^\d+$/.test(grace) ? Number(grace) : inBody,
    propagation,
    dryRun: query.getAll('dryRun').includes('All') || dryRun.includes('All'),
    ...(typeof preconditions.uid === 'string' ? { uid: preconditions.uid } : {}),
    ...(typeof preconditions.resourceVersion === 'string'
      ? { resourceVersion: preconditions.resourceVersion }
      : {}),
  };
}

/**
 * Deletes one object, or marks it for deletion: a pod on a node has its grace period, and finalizers keep an object.
 * Returns the response: the object, or a Status of success.
 */
export function deleteOne(
  context: ApiContext,
  info: RequestInfo,
  type: ApiResource,
  options: DeleteOptions,
): Record<string, unknown> {
  const object = context.store.get(type.storedAs, type.namespaced ? info.namespace : undefined, info.name);
  if (object === undefined) throw notFound(type, info.name);
  const { uid, resourceVersion } = object.metadata;
  if (options.uid !== undefined && options.uid !== uid) {
    throw conflict(
      type,
      info.name,
      `Precondition failed: UID in precondition: ${options.uid}, UID in object meta: ${uid}`,
    );
  }
  if (options.resourceVersion !== undefined && options.resourceVersion !== resourceVersion) {
    throw conflict(
      type,
      info.name,
      `Precondition failed: ResourceVersion in precondition: ${options.resourceVersion}, ResourceVersion in object meta: ${resourceVersion}`,
    );
  }
  const remaining = options.dryRun ? object : remove(context, type, object, options);
  if (remaining !== undefined || type.storedAs === 'pods') return shown(type, remaining ?? object);
  const group = type.group === '' ? {} : { group: type.group };
  const details = { name: info.name, ...group, kind: type.plural, uid };
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
}

/** Returns the object if it still exists; undefined if it was removed. */
function remove(
  { store, clock }: ApiContext,
  type: ApiResource,
  object: StoredObject,
  options: DeleteOptions,
): StoredObject | undefined {
  const { name, namespace, finalizers = [] } = object.metadata;
  const added =
    options.propagation === 'Foreground'
      ? ['foregroundDeletion']
      : options.propagation === 'Orphan'
        ? ['orphan']
        : [];
  const held = [...new Set([...finalizers, ...(type.storedAs === 'pods' ? [] : added)])];
  const grace = type.storedAs === 'pods' ? podGrace(object, options) : 0;
  if (grace === 0 && held.length === 0 && type.storedAs !== 'namespaces') {
    store.remove(type.storedAs, namespace, name);
    return undefined;
  }
  return store.update(type.storedAs, namespace, name, (changed) => {
    const { metadata } = changed;
    const earlier = metadata.deletionGracePeriodSeconds;
    const known = metadata.deletionTimestamp !== undefined;
    if (known && (earlier ?? 0) <= grace && held.length === finalizers.length) return false;
    metadata.deletionTimestamp = `${new Date(clock.now() + grace * 1000).toISOString().slice(0, 19)}Z`;
    metadata.deletionGracePeriodSeconds = grace;
    if (held.length > 0) metadata.finalizers = held;
    if (metadata.generation !== undefined) metadata.generation += 1;
    if (type.storedAs === 'namespaces') changed.status = { ...changed.status, phase: 'Terminating' };
    return undefined;
  });
}

/** Returns a pod's grace period in seconds; finished pods and pods without a node need none. */
function podGrace(pod: StoredObject, options: DeleteOptions): number {
  const phase = text(at(pod, 'status', 'phase'));
  if (text(at(pod, 'spec', 'nodeName')) === '' || phase === 'Succeeded' || phase === 'Failed') return 0;
  const own = at(pod, 'spec', 'terminationGracePeriodSeconds');
  return options.gracePeriodSeconds ?? (own === undefined ? 30 : number(own));
}

/** Deletes all objects that the selectors match; returns the list of them. */
export function deleteCollection(
  context: ApiContext,
  request: ApiRequest,
  info: RequestInfo,
  type: ApiResource,
  options: DeleteOptions,
): Record<string, unknown> {
  const list = readListOptions(request, { ...info, verb: 'list' }, type);
  const namespace = type.namespaced ? info.namespace : undefined;
  const chosen = context.store.list(type.storedAs, namespace).filter((object) => selects(list, object));
  const items = chosen.map((object) =>
    options.dryRun ? object : (remove(context, type, object, options) ?? object),
  );
  return {
    kind: `${type.kind}List`,
    apiVersion: apiVersionOf(type),
    metadata: listMetadata(context.store.resourceVersion),
    items: items.map((object) => shownInList(type, object)),
  };
}

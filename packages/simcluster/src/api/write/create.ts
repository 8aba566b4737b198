import { randomInt, randomUUID } from 'node:crypto';
import { checkEscalation } from '../../access/escalation.ts';
import {
  ApiError,
  alreadyExists,
  badRequest,
  methodNotAllowed,
  notFound,
  terminating,
} from '../../api-error.ts';
import { podRefusal } from '../../controllers/pods/pod-admission.ts';
import type { StoredObject } from '../../store/store.ts';
import type { ApiContext } from '../context.ts';
import { fromEventsV1 } from '../discovery/event-groups.ts';
import { type ApiResource, apiVersionOf } from '../discovery/resources.ts';
import { readObject } from '../http/body.ts';
import { negotiate } from '../http/negotiate.ts';
import { objectReply } from '../http/reply.ts';
import type { ApiRequest, Reply } from '../http/request.ts';
import type { RequestInfo } from '../http/request-info.ts';
import { schemaOf } from '../schema/schema.ts';
import { fields } from '../table/read.ts';
import { checkCustom } from './check-custom.ts';
import { fillDefaults } from './defaults.ts';
import { checkedBody } from './field-validation.ts';
import { noteUpdate } from './owners-of-write.ts';
import { prepareNew } from './prepare-new.ts';
import { reviewOf } from './reviews.ts';
import { tokenReview } from './token-review.ts';
import { validate } from './validate.ts';
import { isDryRun, writtenReply } from './written-reply.ts';

/** Handles POST of a new object or a review. */
export async function create(
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
  const review =
    info.resource === 'tokenreviews'
      ? tokenReview(store, clock, context.tokens, body)
      : reviewOf(store, clock, request, info.resource, body);
  if (review !== undefined) return objectReply(request, { ...format, as: undefined }, review, 201);

  const checked = await checkedBody(request, type, schemaOf(store, type), body);
  const object = newObject(context, info, type, checked);
  fillDefaults(store, type, object);
  noteUpdate(context, request, info, type, undefined, object, body);
  return storeNew(context, request, info, type, object);
}

/** Checks and stores any new object, posted or applied. */
export async function storeNew(
  context: ApiContext,
  request: ApiRequest,
  info: RequestInfo,
  type: ApiResource,
  object: StoredObject,
): Promise<Reply> {
  const { store } = context;
  checkEscalation(store, { ...info, user: request.user }, object);
  validate(type, object);
  await checkCustom(store, type, object);
  prepareNew(store, type, object);
  const { namespace, name } = object.metadata;
  if (namespace !== undefined) {
    const namespaceObject = store.get('namespaces', undefined, namespace);
    if (namespaceObject === undefined) throw notFound({ group: '', plural: 'namespaces' }, namespace);
    if (namespaceObject.metadata.deletionTimestamp !== undefined) throw terminating(type, name, namespace);
  }
  if (store.get(type.storedAs, namespace, name) !== undefined) throw alreadyExists(type, name);
  const refusal =
    type.storedAs === 'pods' ? podRefusal(store, namespace ?? '', name, object.spec) : undefined;
  if (refusal !== undefined) throw new ApiError(403, 'Forbidden', refusal, { name, kind: 'pods' });
  const created = isDryRun(request) ? object : store.create(type.storedAs, object);
  return writtenReply(context, request, type, created, 201);
}

/** Makes the stored object from a body, with a new identity. */
export function newObject(
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

/** Returns five letters and digits, without those that make words or look alike (k8s.io/apimachinery/pkg/util/rand). */
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

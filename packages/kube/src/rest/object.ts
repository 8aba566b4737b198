import type { KubeObject, ObjectRef, RequestOptions, ResourceType } from '../client.ts';
import { performAndForget, performJson } from '../transport/perform.ts';
import type { Wire, WireRequest } from '../transport/wire.ts';
import { asKubeObject, JSON_ACCEPT, METADATA_ACCEPT } from './decode.ts';
import { resourcePath, subjectOf } from './paths.ts';

/** Limit for one object: more than etcd's limit, with a generous margin. */
const OBJECT_LIMIT_BYTES = 32 * 1024 * 1024;

/** Returns one object by name, or only its metadata. */
export async function getObject<T extends KubeObject>(
  wire: Wire,
  type: ResourceType,
  ref: ObjectRef,
  options: RequestOptions & { readonly metadataOnly?: boolean | undefined } = {},
): Promise<T> {
  const subject = subjectOf('get', type, ref);
  const path = resourcePath(type, ref);
  const accept = options.metadataOnly ? METADATA_ACCEPT : JSON_ACCEPT;
  const answer = await performJson(
    wire,
    { method: 'GET', path, subject, accept, gzip: true, signal: options.signal },
    { rule: 'safe', limitBytes: OBJECT_LIMIT_BYTES },
  );
  return asKubeObject<T>(answer, subject);
}

/**
 * Creates an object and returns it as the server completed it. Never repeats a failed request, because the object may
 * exist.
 */
export function createObject<T extends KubeObject>(
  wire: Wire,
  type: ResourceType,
  namespace: string | undefined,
  object: unknown,
  options: RequestOptions = {},
): Promise<T> {
  return writeObject<T>(wire, {
    method: 'POST',
    path: resourcePath(type, { namespace }),
    subject: subjectOf('create', type, { namespace }),
    contentType: 'application/json',
    body: JSON.stringify(object),
    signal: options.signal,
  });
}

/**
 * Replaces an object; if it contains no resourceVersion, replaces any version. Repeats the request only if it cannot
 * have arrived.
 */
export function updateObject<T extends KubeObject>(
  wire: Wire,
  type: ResourceType,
  ref: ObjectRef,
  object: unknown,
  options: RequestOptions = {},
): Promise<T> {
  return writeObject<T>(wire, {
    method: 'PUT',
    path: resourcePath(type, ref),
    subject: subjectOf('update', type, ref),
    contentType: 'application/json',
    body: JSON.stringify(object),
    signal: options.signal,
  });
}

/**
 * Patches an object. A `body` that is not a string is sent as JSON, which is also YAML (server-side apply accepts
 * both).
 */
export function patchObject<T extends KubeObject>(
  wire: Wire,
  type: ResourceType,
  ref: ObjectRef,
  contentType: string,
  body: unknown,
  options: RequestOptions & { readonly query?: Readonly<Record<string, string>> } = {},
): Promise<T> {
  return writeObject<T>(wire, {
    method: 'PATCH',
    path: resourcePath(type, ref, options.query),
    subject: subjectOf('patch', type, ref),
    contentType,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    signal: options.signal,
  });
}

async function writeObject<T extends KubeObject>(
  wire: Wire,
  request: Omit<WireRequest, 'accept'>,
): Promise<T> {
  const answer = await performJson(
    wire,
    { ...request, accept: JSON_ACCEPT },
    { rule: 'refused-only', limitBytes: OBJECT_LIMIT_BYTES },
  );
  return asKubeObject<T>(answer, request.subject);
}

/** Deletes an object. `body` is a DeleteOptions object, if needed (propagationPolicy, preconditions). */
export async function deleteObject(
  wire: Wire,
  type: ResourceType,
  ref: ObjectRef,
  options: RequestOptions & { readonly body?: unknown } = {},
): Promise<void> {
  await performAndForget(
    wire,
    {
      method: 'DELETE',
      path: resourcePath(type, ref),
      subject: subjectOf('delete', type, ref),
      accept: JSON_ACCEPT,
      contentType: options.body === undefined ? undefined : 'application/json',
      body: options.body === undefined ? undefined : JSON.stringify(options.body),
      signal: options.signal,
    },
    { rule: 'refused-only', limitBytes: OBJECT_LIMIT_BYTES },
  );
}

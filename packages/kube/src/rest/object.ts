import type { KubeObject, ObjectRef, RequestOptions, ResourceType } from '../client.ts';
import { performAndForget, performJson } from '../transport/perform.ts';
import type { Wire, WireRequest } from '../transport/wire.ts';
import { asKubeObject, JSON_ACCEPT, METADATA_ACCEPT } from './decode.ts';
import { resourcePath, subjectOf } from './paths.ts';

/** One object, with what etcd's limit and a generous rest allow. */
const OBJECT_LIMIT_BYTES = 32 * 1024 * 1024;

/** One object by name, or only its metadata. */
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

/** Creates an object and gives it as the server filled it in. Never repeated after a failure: it may exist. */
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

/** Replaces an object; without a resourceVersion in it, whatever it was. Repeated only if it cannot have arrived. */
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

/** `body` that is no text is sent as JSON, which is YAML too (server-side apply takes either). */
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

/** `body` is a DeleteOptions object, if one is needed (propagationPolicy, preconditions). */
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

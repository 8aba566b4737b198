import { createHash } from 'node:crypto';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { Store } from '../../store/store.ts';
import { acceptClauses } from '../http/negotiate.ts';
import type { ApiRequest, Reply } from '../http/request.ts';
import { openApiSchema } from '../schema/custom-schema.ts';
import { findType, groupName } from '../schema/find-type.ts';
import { fullName, SchemaCollector } from '../schema/openapi-schema.ts';
import { definitionOf } from '../schema/schema.ts';
import { fields } from '../table/read.ts';
import { type ApiResource, apiVersionOf, resourcesOf } from './resources.ts';

const INFO = { title: 'Kubernetes', version: 'v1.35.0' };
const METADATA = 'meta.ObjectMeta';

/**
 * Handles /openapi/v2 and /openapi/v3: the fields of all served kinds, with their operations and query parameters, for
 * clients that use them to check, explain or merge.
 */
export async function openApiReply(
  store: Store,
  clock: Clock,
  request: ApiRequest,
): Promise<Reply | undefined> {
  const { path } = request;
  if (!path.startsWith('/openapi/')) return undefined;
  const types = resourcesOf(store);
  if (path === '/openapi/v2') return swaggerReply(clock, request, swagger(store, types));
  const documents = new Map<string, ApiResource[]>();
  for (const type of types) documents.set(prefix(type), [...(documents.get(prefix(type)) ?? []), type]);
  if (path === '/openapi/v3') {
    const paths = [...documents].map(([name, mine]) => {
      const hash = hashOf(documentOf(store, name, mine));
      return [name, { serverRelativeURL: `/openapi/v3/${name}?hash=${hash}` }] as const;
    });
    return indexReply(store, clock, request, JSON.stringify({ paths: Object.fromEntries(paths) }));
  }
  const name = path.slice('/openapi/v3/'.length);
  const mine = documents.get(name);
  return mine === undefined ? undefined : cachedReply(clock, request, documentOf(store, name, mine));
}

const SWAGGER_FORMATS = {
  'application/json': 'json',
  'application/*': 'json',
  '*/*': 'json',
  // A media type's name cannot contain an at sign, but clients request this one.
  'application/com.github.proto-openapi.spec.v2@v1.0+protobuf': 'protobuf',
  'application/com.github.proto-openapi.spec.v2.v1.0+protobuf': 'protobuf',
} as const;

/**
 * Replies in the first supported format of the client's list: kubectl and helm request protobuf (k8s.io/kube-openapi's
 * handler).
 */
async function swaggerReply(clock: Clock, request: ApiRequest, json: string): Promise<Reply> {
  const format = acceptClauses(request.headers.accept)
    .map(({ type }) => (Object.hasOwn(SWAGGER_FORMATS, type) ? SWAGGER_FORMATS[type as '*/*'] : undefined))
    .find((found) => found !== undefined);
  if (format === undefined) return { status: 406, headers: { vary: 'Accept-Encoding, Accept' }, body: '' };
  const reply = cachedReply(clock, request, json);
  if (format === 'json' || reply.status !== 200) return reply;
  const { swaggerAsProtobuf } = await import('./openapi-protobuf.ts');
  const type = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
  return { ...reply, headers: { ...reply.headers, 'content-type': type }, body: swaggerAsProtobuf(json) };
}

/** Replies 304 to a client that already has the document; a document requested by its hash never changes. */
function cachedReply(clock: Clock, request: ApiRequest, body: string): Reply {
  const hash = hashOf(body);
  const etag = `"${hash}"`;
  const asked = request.query.get('hash');
  if (asked !== null && asked !== hash) {
    const location = `${request.path}?hash=${hash}`;
    return { status: 301, headers: { location, 'content-type': 'text/html; charset=utf-8' }, body: '' };
  }
  const headers = {
    'content-type': 'application/json',
    etag,
    vary: 'Accept-Encoding, Accept',
    ...(asked === null ? {} : { 'cache-control': 'public, immutable', expires: inAYear(clock) }),
  };
  if (request.headers['if-none-match'] === etag) return { status: 304, headers, body: undefined };
  return { status: 200, headers, body };
}

function inAYear(clock: Clock): string {
  return new Date(clock.now() + 365 * 86_400_000).toUTCString();
}

/** When each cluster's list of documents last changed. */
const listed = new WeakMap<Store, { readonly body: string; readonly sinceMs: number }>();

/**
 * Replies with the list of documents. The server rebuilds it for each request, and sets last-modified accordingly;
 * within one second it is unmodified, unless it changed in that second.
 */
function indexReply(store: Store, clock: Clock, request: ApiRequest, body: string): Reply {
  const nowMs = Math.floor(clock.now() / 1000) * 1000;
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'last-modified': new Date(nowMs).toUTCString(),
    'accept-ranges': 'bytes',
  };
  let known = listed.get(store);
  if (known?.body !== body) {
    known = { body, sinceMs: nowMs };
    listed.set(store, known);
  }
  const since = Date.parse(request.headers['if-modified-since'] ?? '');
  if (since >= nowMs && known.sinceMs < nowMs) return { status: 304, headers, body: undefined };
  return { status: 200, headers, body };
}

const hashes = new Map<string, string>();

function hashOf(text: string): string {
  let hash = hashes.get(text);
  if (hash === undefined) {
    hash = createHash('sha512').update(text).digest('hex').toUpperCase();
    if (hashes.size > 200) hashes.clear();
    hashes.set(text, hash);
  }
  return hash;
}

/** Caches documents of built-in types, which never change. */
const builtIn = new Map<string, string>();

function documentOf(store: Store, name: string, types: readonly ApiResource[]): string {
  const fixed = types.every(({ custom }) => !custom);
  const known = fixed ? builtIn.get(name) : undefined;
  if (known !== undefined) return known;
  const schemas = schemasOf(store, types, '#/components/schemas/');
  const document = JSON.stringify({
    openapi: '3.0.0',
    info: INFO,
    paths: Object.assign({}, ...types.map(pathsOf)),
    components: { schemas: Object.fromEntries(schemas) },
  });
  if (fixed) builtIn.set(name, document);
  return document;
}

function swagger(store: Store, types: readonly ApiResource[]): string {
  const definitions = Object.fromEntries(schemasOf(store, types, '#/definitions/'));
  return JSON.stringify({ swagger: '2.0', info: INFO, paths: {}, definitions });
}

function schemasOf(
  store: Store,
  types: readonly ApiResource[],
  at: '#/components/schemas/' | '#/definitions/',
): ReadonlyMap<string, unknown> {
  const collector = new SchemaCollector(at);
  for (const type of types) {
    const kinds = { 'x-kubernetes-group-version-kind': [identity(type)] };
    if (type.custom) {
      const metadata = findType(METADATA);
      if (metadata !== undefined) collector.add(metadata);
      collector.schemas.set(customName(type), { ...customSchema(store, type, at), ...kinds });
      continue;
    }
    const shape = findType(`${groupName(type.group, type.version)}.${type.kind}`);
    if (shape === undefined) continue;
    const schema = collector.schemas.get(collector.add(shape));
    if (schema === undefined) continue;
    schema.properties = { ...HEAD, ...fields(schema.properties) };
    Object.assign(schema, kinds);
  }
  return collector.schemas;
}

const HEAD = { apiVersion: { type: 'string' }, kind: { type: 'string' } };

function customSchema(store: Store, type: ApiResource, at: string): Record<string, unknown> {
  const definition = definitionOf(store, type);
  const schema = fields(definition === undefined ? undefined : openApiSchema(definition, type.version));
  if (schema.properties === undefined && schema['x-kubernetes-preserve-unknown-fields'] === true)
    return { ...schema };
  const reference = { $ref: `${at}${fullName(METADATA)}` };
  const metadata = at === '#/definitions/' ? reference : { allOf: [reference] };
  return { type: 'object', ...schema, properties: { ...fields(schema.properties), ...HEAD, metadata } };
}

function customName({ group, version, kind }: ApiResource): string {
  return `${group.split('.').reverse().join('.')}.${version}.${kind}`;
}

function prefix(type: ApiResource): string {
  return type.group === '' ? `api/${type.version}` : `apis/${apiVersionOf(type)}`;
}

function identity({ group, version, kind }: ApiResource) {
  return { group, version, kind };
}

function pathsOf(type: ApiResource): Record<string, unknown> {
  const collection = `/${prefix(type)}/${type.namespaced ? 'namespaces/{namespace}/' : ''}${type.plural}`;
  const parameters = ['dryRun', 'fieldManager', 'fieldValidation'].map((name) => ({
    name,
    in: 'query',
    schema: { type: 'string', uniqueItems: true },
  }));
  const operation = (action: string) => ({
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': identity(type),
    parameters,
    responses: { 200: { description: 'OK' } },
  });
  return {
    [collection]: { get: operation('list'), post: operation('post') },
    [`${collection}/{name}`]: {
      get: operation('get'),
      put: operation('put'),
      patch: operation('patch'),
      delete: operation('delete'),
    },
  };
}

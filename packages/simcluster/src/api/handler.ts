import { forbidden } from '../access/forbidden.ts';
import type { Attributes } from '../access/rbac.ts';
import { authorize } from '../access/rbac.ts';
import { ApiError, methodNotAllowed, notFound, unknownResource } from '../api-error.ts';
import type { Store } from '../store/store.ts';
import type { ApiService } from './aggregation/api-service.ts';
import type { ApiContext } from './context.ts';
import { discoveryReply } from './discovery/discovery.ts';
import { openApiReply } from './discovery/openapi.ts';
import { type ApiResource, apiVersionOf, findResource, resourcesOf } from './discovery/resources.ts';
import { healthReply } from './http/health.ts';
import { negotiate, negotiateWatch, type OutputFormat } from './http/negotiate.ts';
import { objectReply, pageNotFound } from './http/reply.ts';
import { type ApiRequest, parameter, type Reply } from './http/request.ts';
import { type RequestInfo, readRequestInfo } from './http/request-info.ts';
import { listPage } from './read/list.ts';
import { readListOptions } from './read/list-options.ts';
import { nodeProxy } from './read/node-proxy.ts';
import { podLog } from './read/pod-log.ts';
import { scaleOf } from './read/scale.ts';
import { listMetadata, metadataOnly, shown, shownInList } from './read/view.ts';
import { watchLines } from './read/watch.ts';
import { type IncludeObject, tableOf } from './table/table.ts';
import { writeReply } from './write/write.ts';

/**
 * Handles one authenticated request.
 * @throws ApiError for every error that a Status reports
 */
export async function handle(context: ApiContext, request: ApiRequest): Promise<Reply> {
  const { store } = context;
  const info = readRequestInfo(request.method, request.path, request.query);
  checkAccess(store, request, info);
  const apiService = context.aggregator.serviceOf(request.path);
  if (apiService !== undefined) return aggregatedReply(context, request, info, apiService);
  if (!info.isResource) return pathReply(context, request);
  const type = findResource(store, info.group, info.version, info.resource);
  if (type === undefined) return unknownType(store, info);
  if (type.namespaced && info.namespace === undefined && !['list', 'watch'].includes(info.verb))
    throw methodNotAllowed();
  checkSubresource(type, info);
  if (type.storedAs === 'pods' && info.subresource === 'log') return logReply(context, request, info);
  if (type.storedAs === 'services' && info.subresource === 'proxy')
    return context.aggregator.serviceReply(request, info);
  if (type.storedAs === 'nodes' && info.subresource === 'proxy')
    return nodeProxy(context, request, info.name);
  return resourceReply(context, request, info, type);
}

function checkAccess(store: Store, { user }: ApiRequest, info: RequestInfo): void {
  const attributes = attributesOf(info);
  if (info.verb !== '' && !authorize(store, user, attributes).allowed) throw forbidden(user, attributes);
}

function attributesOf(info: RequestInfo): Attributes {
  return info.isResource ? { kind: 'resource', ...info } : { kind: 'path', verb: info.verb, path: info.path };
}

/**
 * Lets another server answer. A method without a verb of RBAC, as OPTIONS, needs the right to every verb: the server
 * decides what it means.
 */
function aggregatedReply(
  { store, aggregator }: ApiContext,
  request: ApiRequest,
  info: RequestInfo,
  apiService: ApiService,
): Promise<Reply> {
  const attributes = attributesOf(info);
  if (!authorize(store, request.user, attributes).allowed) throw forbidden(request.user, attributes);
  return aggregator.reply(request, info, apiService);
}

async function pathReply({ store, clock, aggregator }: ApiContext, request: ApiRequest): Promise<Reply> {
  return (
    healthReply(request) ??
    (await openApiReply(store, clock, request)) ??
    (await discoveryReply(store, request, aggregator.groups())) ??
    rootReply(store, request)
  );
}

function checkSubresource(type: ApiResource, { subresource }: RequestInfo): void {
  if (type.storedAs === 'pods' && RUNS_PROGRAMS.includes(subresource)) {
    throw new ApiError(
      501,
      'NotImplemented',
      `the simulated cluster runs no programs: it has no ${subresource}`,
    );
  }
  if (subresource !== '' && !type.subresources.includes(subresource)) throw unknownResource();
}

function logReply(context: ApiContext, request: ApiRequest, info: RequestInfo): Promise<Reply> {
  if (request.method !== 'GET') throw methodNotAllowed();
  return podLog(context.store, context.clock, context.nodeAgent, request, info.namespace ?? '', info.name);
}

function resourceReply(
  context: ApiContext,
  request: ApiRequest,
  info: RequestInfo,
  type: ApiResource,
): Promise<Reply> | Reply {
  // A subresource has no watch.
  const verb = info.verb === 'watch' && info.subresource !== '' ? 'get' : info.verb;
  if (verb === '' || (type.verbs.length === 1 && !type.verbs.includes(verb))) throw methodNotAllowed();
  switch (verb) {
    case 'get':
      return getReply(context, request, info, type);
    case 'list':
      return listReply(context, request, info, type);
    case 'watch':
      return watchReply(context, request, info, type);
    default:
      if (!hasName(info) && (verb === 'update' || verb === 'patch')) throw methodNotAllowed();
      return writeReply(context, request, { ...info, verb }, type);
  }
}

/** Requests that need a process in the container. Simulated containers run none; they only have a log. */
const RUNS_PROGRAMS: readonly string[] = ['exec', 'attach', 'portforward', 'proxy'];

/** Whether the path itself (not a field selector) names an object. */
function hasName(info: RequestInfo): boolean {
  const rest = info.path.split('/').filter((segment) => segment !== '');
  return rest.at(-1) !== info.resource || info.subresource !== '';
}

function unknownType(store: Store, info: RequestInfo): Reply {
  const known = resourcesOf(store).some((type) => type.group === info.group && type.version === info.version);
  if (known) throw unknownResource();
  return pageNotFound();
}

function rootReply(store: Store, request: ApiRequest): Reply {
  if (request.path !== '/') return pageNotFound();
  const groups = [
    ...new Set(
      resourcesOf(store)
        .filter((type) => type.group !== '')
        .map(apiVersionOf),
    ),
  ];
  const paths = [
    '/api',
    '/api/v1',
    '/apis',
    '/apis/',
    ...groups.flatMap((version) => [`/apis/${version.split('/')[0]}`, `/apis/${version}`]),
    '/healthz',
    '/livez',
    '/openapi/v2',
    '/openapi/v3',
    '/readyz',
    '/version',
  ];
  const body = JSON.stringify({ paths: [...new Set(paths)] }, undefined, 2);
  return { status: 200, headers: { 'content-type': 'application/json' }, body };
}

function includeOf(request: ApiRequest): IncludeObject {
  const include = parameter(request, 'includeObject');
  return include === 'None' || include === 'Object' ? include : 'Metadata';
}

async function getReply(
  { store, clock }: ApiContext,
  request: ApiRequest,
  info: RequestInfo,
  type: ApiResource,
): Promise<Reply> {
  const format = negotiate(request, { transforms: true });
  const object = store.get(type.storedAs, type.namespaced ? info.namespace : undefined, info.name);
  if (object === undefined) throw notFound(type, info.name);
  if (info.subresource === 'scale') return objectReply(request, format, scaleOf(object));
  if (format.as === 'Table') {
    const metadata = { resourceVersion: object.metadata.resourceVersion };
    return objectReply(request, format, tableOf(type, [object], metadata, includeOf(request), clock.now()));
  }
  return objectReply(request, format, format.as === undefined ? shown(type, object) : metadataOnly(object));
}

async function listReply(
  { store, clock }: ApiContext,
  request: ApiRequest,
  info: RequestInfo,
  type: ApiResource,
): Promise<Reply> {
  const format = negotiate(request, { transforms: true });
  const options = readListOptions(request, info, type);
  const page = await listPage(store, clock, type, namespaceOf(info, type), options, request.signal);
  const metadata = listMetadata(page.resourceVersion, page.next);
  return objectReply(
    request,
    format,
    listBody(format, type, page.objects, metadata, includeOf(request), clock.now()),
  );
}

function listBody(
  format: OutputFormat,
  type: ApiResource,
  objects: Parameters<typeof tableOf>[1],
  metadata: unknown,
  include: IncludeObject,
  nowMs: number,
): unknown {
  if (format.as === 'Table') return tableOf(type, objects, metadata, include, nowMs);
  if (format.as !== undefined) {
    const items = objects.map(metadataOnly);
    return { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1', metadata, items };
  }
  const head = { kind: `${type.kind}List`, apiVersion: apiVersionOf(type) };
  return { ...head, metadata, items: objects.map((object) => shownInList(type, object)) };
}

function watchReply(context: ApiContext, request: ApiRequest, info: RequestInfo, type: ApiResource): Reply {
  const format = negotiateWatch(request);
  const options = readListOptions(request, info, type);
  const watch = { ...context, signal: request.signal };
  const body = watchLines(watch, type, namespaceOf(info, type), options, format, includeOf(request));
  return { status: 200, headers: { 'content-type': 'application/json' }, body };
}

/** Returns the namespace to read. A Namespace object is not inside a namespace. */
function namespaceOf(info: RequestInfo, type: ApiResource): string | undefined {
  return type.namespaced ? info.namespace : undefined;
}

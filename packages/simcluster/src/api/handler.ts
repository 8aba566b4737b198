import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { TokenUser } from '../access/authenticate.ts';
import { forbidden } from '../access/forbidden.ts';
import type { Attributes } from '../access/rbac.ts';
import { authorize } from '../access/rbac.ts';
import { ApiError, methodNotAllowed, notFound, unknownResource } from '../api-error.ts';
import type { NodeAgent } from '../node-agent.ts';
import type { Store } from '../store.ts';
import { discoveryReply } from './discovery.ts';
import { healthReply } from './health.ts';
import { listPage } from './list.ts';
import { readListOptions } from './list-options.ts';
import { negotiate, negotiateWatch, type OutputFormat } from './negotiate.ts';
import { openApiReply } from './openapi.ts';
import { podLog } from './pod-log.ts';
import { objectReply, pageNotFound } from './reply.ts';
import { type ApiRequest, parameter, type Reply } from './request.ts';
import { type RequestInfo, readRequestInfo } from './request-info.ts';
import { type ApiResource, apiVersionOf, findResource, resourcesOf } from './resources.ts';
import { scaleOf } from './scale.ts';
import { type IncludeObject, tableOf } from './table/table.ts';
import { listMetadata, metadataOnly, shown, shownInList } from './view.ts';
import { watchLines } from './watch.ts';
import { writeReply } from './write.ts';

export interface ApiContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly nodeAgent: NodeAgent;
  /** Of the users of the kubeconfig. */
  readonly tokens: readonly TokenUser[];
  /** The resourceVersion at which the server started: see watch.ts. */
  readonly floor: number;
  /** Aborted when a fault expires the watch. */
  readonly expire: AbortSignal;
}

/**
 * Answers one authenticated request.
 * @throws ApiError for everything that a Status answers
 */
export async function handle(context: ApiContext, request: ApiRequest): Promise<Reply> {
  const { store, clock } = context;
  const info = readRequestInfo(request.method, request.path, request.query);
  const attributes: Attributes = info.isResource
    ? { kind: 'resource', ...info }
    : { kind: 'path', verb: info.verb, path: info.path };
  if (info.verb !== '' && !authorize(store, request.user, attributes).allowed) {
    throw forbidden(request.user, attributes);
  }
  if (!info.isResource) {
    return (
      healthReply(request) ??
      (await openApiReply(store, clock, request)) ??
      (await discoveryReply(store, request)) ??
      rootReply(store, request)
    );
  }
  const type = findResource(store, info.group, info.version, info.resource);
  if (type === undefined) return unknownType(store, info);
  if (type.namespaced && info.namespace === undefined && !['list', 'watch'].includes(info.verb))
    throw methodNotAllowed();
  if (type.storedAs === 'pods' && RUNS_PROGRAMS.includes(info.subresource)) {
    throw new ApiError(
      501,
      'NotImplemented',
      `the simulated cluster runs no programs: ${info.subresource} is not there`,
    );
  }
  if (info.subresource !== '' && !type.subresources.includes(info.subresource)) throw unknownResource();
  if (type.storedAs === 'pods' && info.subresource === 'log') {
    if (request.method !== 'GET') throw methodNotAllowed();
    return podLog(store, clock, context.nodeAgent, request, info.namespace ?? '', info.name);
  }
  const verb = info.verb === 'watch' && !isWatch(info) ? 'get' : info.verb;
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

/** What needs a process behind the container, which has none here: its log alone is made. */
const RUNS_PROGRAMS: readonly string[] = ['exec', 'attach', 'portforward', 'proxy'];

/** Whether the path itself (not a field selector) names an object. */
function hasName(info: RequestInfo): boolean {
  const rest = info.path.split('/').filter((part) => part !== '');
  return rest.at(-1) !== info.resource || info.subresource !== '';
}

function isWatch(info: RequestInfo): boolean {
  return info.subresource === '';
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

/** A namespace is listed as itself, not inside of itself. */
function namespaceOf(info: RequestInfo, type: ApiResource): string | undefined {
  return type.namespaced ? info.namespace : undefined;
}

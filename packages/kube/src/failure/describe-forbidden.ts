import { BUILTIN_RESOURCES } from '../builtin-resources.ts';
import type { ResourceType } from '../client.ts';
import { KubeError, type RequestSubject } from '../errors.ts';
import type { CodedError } from '../values/coded-error.ts';
import { kubeFailure, type RefusedRight } from '../values/failures.ts';
import { whyOf } from '../values/problems.ts';
import { quoteArgument } from '../values/quote-argument.ts';
import type { ClusterName } from './cluster-name.ts';
import { describeWrongPath } from './describe-wrong-path.ts';

/**
 * Reads the denied permission from the server's sentence: impersonation denies another permission than the requested
 * one.
 */
const REFUSAL =
  /User "([^"]*)" cannot (\S+) resource "([^"]+)" in API group "([^"]*)"(?: in the namespace "([^"]+)"| at the cluster scope)?/;

/** The server's sentence for a path that it does not recognize as part of its API. */
const PATH_REFUSAL = /^forbidden: User "[^"]*" cannot \S+ path "/;

/**
 * A rejection by admission, after all permission checks: a quota, a policy, a webhook. Granting more permissions than the
 * user has is a permission error instead.
 */
const NOT_ADMITTED = /^admission webhook "[^"]*" denied the request| is forbidden: (?!user ")/i;
const CHANGES = new Set(['create', 'update', 'patch', 'delete']);

/** Describes a missing permission: which one, and the command that checks it. */
export function describeForbidden(error: KubeError, cluster: ClusterName): CodedError {
  const { request, message } = error;
  const why = whyOf(error);
  const options = { cause: error };
  const isDiscovery = request?.resource.startsWith('/');
  if (!isDiscovery && PATH_REFUSAL.test(message)) return describeWrongPath(error, cluster);
  if (CHANGES.has(request?.verb ?? '') && NOT_ADMITTED.test(message)) return notAdmitted(error);
  const refused = readRefusal(error);
  if (refused === undefined) return kubeFailure('forbidden', { request, why }, options);
  const right = refusedRightOf(refused.right);
  if (refused.user === 'system:anonymous') return kubeFailure('forbidden-anonymous', { right, why }, options);
  const identity = right.verb === 'impersonate' ? '' : (cluster.asFlags ?? '');
  const check = canILine(refused.right) + identity;
  return kubeFailure('forbidden', { request, right, why, check }, options);
}

function notAdmitted(error: KubeError): CodedError {
  const { request, message: why } = error;
  if (why.includes('because it is being terminated'))
    return namespaceLeaving(request?.namespace ?? '', error);
  return kubeFailure('not-admitted', { request, why }, { cause: error });
}

/** Makes the error for a namespace that is being deleted, where nothing can be created. */
export function namespaceLeaving(namespace: string, cause?: unknown): CodedError {
  return kubeFailure('namespace-leaving', { namespace }, { cause });
}

/** Returns the denied permission, if known, with the command that checks it; undefined for other rejections. */
export function refusedRight(error: KubeError): (RequestSubject & { readonly check: string }) | undefined {
  if (PATH_REFUSAL.test(error.message)) return undefined;
  const refused = readRefusal(error);
  if (refused === undefined || refused.user === 'system:anonymous') return undefined;
  return { ...refused.right, check: canILine(refused.right) };
}

/** Makes the error for a permission that a review reported as missing. */
export function missingRight(right: RequestSubject): CodedError {
  const cause = new KubeError({ kind: 'forbidden', request: right });
  return kubeFailure('forbidden', { right: refusedRightOf(right), check: canILine(right) }, { cause });
}

function readRefusal(
  error: KubeError,
): { readonly user: string; readonly right: RequestSubject } | undefined {
  const match = REFUSAL.exec(error.message);
  if (match === null) {
    // Webhook authorizers and proxies have their own wording, but this client knows the request.
    if (error.request === undefined || error.request.resource.startsWith('/')) return undefined;
    return { user: '', right: error.request };
  }
  const [, user = '', verb = '', path = '', group = '', namespace] = match;
  const [plural = '', subresource] = path.split('/');
  const resource = group === '' ? plural : `${plural}.${group}`;
  return { user, right: { verb, resource, subresource, namespace, name: error.details?.name } };
}

/** Adds to a permission what a message needs to know about its kind. */
function refusedRightOf(right: RequestSubject): RefusedRight {
  const scope = right.name === undefined ? scopeOf(right) : undefined;
  return { ...right, singular: singularOf(right.resource), scope };
}

/**
 * Returns the scope in which permission for all objects of a kind is missing. The scope of an unknown kind is unknown,
 * too.
 */
function scopeOf({ resource, namespace }: RequestSubject): RefusedRight['scope'] {
  if (namespace !== undefined) return 'namespace';
  const type = builtinOf(resource);
  if (type === undefined) return 'cluster';
  return type.namespaced ? 'all-namespaces' : undefined;
}

/** Returns the singular word for one object; undefined for unknown kinds, whose plural may be irregular. */
function singularOf(resource: string): string | undefined {
  if (IMPERSONATED.has(resource)) return resource.slice(0, -1);
  const type = builtinOf(resource);
  return type === undefined ? undefined : resource.replace(type.plural, type.singular);
}

const IMPERSONATED: ReadonlySet<string> = new Set(['users', 'groups', 'serviceaccounts']);

function builtinOf(resource: string): ResourceType | undefined {
  return BUILTIN_RESOURCES.find(
    ({ group, plural }) => resource === (group === '' ? plural : `${plural}.${group}`),
  );
}

/** Returns the `kubectl auth can-i` command that checks exactly this permission. */
function canILine(right: RequestSubject): string {
  const { verb, resource, subresource, namespace, name } = right;
  const target = name === undefined ? resource : `${resource}/${name}`;
  const args = ['kubectl', 'auth', 'can-i', verb, target];
  if (subresource !== undefined) args.push(`--subresource=${subresource}`);
  if (namespace !== undefined) args.push('-n', namespace);
  else args.push('--all-namespaces');
  return args.map(quoteArgument).join(' ');
}

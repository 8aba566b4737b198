import { BUILTIN_RESOURCES } from '../builtin-resources.ts';
import type { ResourceType } from '../client.ts';
import { KubeError, type RequestSubject } from '../errors.ts';
import { LogtoolError } from '../values/errors.ts';
import type { ClusterName } from './describe.ts';
import { describeWrongPath } from './describe-wrong-path.ts';
import { quoteWord, subjectText } from './subject-text.ts';

/** What the server's own sentence says was refused: impersonation refuses another right than the one asked for. */
const REFUSAL =
  /User "([^"]*)" cannot (\S+) resource "([^"]+)" in API group "([^"]*)"(?: in the namespace "([^"]+)"| at the cluster scope)?/;

/** What the server says where it took the path for none of its API's. */
const PATH_REFUSAL = /^forbidden: User "[^"]*" cannot \S+ path "/;

/** What admission says, behind all rights: a quota, a policy, a webhook. Who grants more than they hold is refused by right. */
const NOT_ADMITTED = /^admission webhook "[^"]*" denied the request| is forbidden: (?!user ")/i;
const CHANGES = new Set(['create', 'update', 'patch', 'delete']);

/** A missing right: which one, and the line that checks it. */
export function describeForbidden(error: KubeError, cluster: ClusterName): LogtoolError {
  const isDiscovery = error.request?.resource.startsWith('/');
  if (!isDiscovery && PATH_REFUSAL.test(error.message)) return describeWrongPath(error, cluster);
  if (CHANGES.has(error.request?.verb ?? '') && NOT_ADMITTED.test(error.message)) return notAdmitted(error);
  const refused = readRefusal(error);
  if (refused === undefined) {
    return new LogtoolError({
      code: 'forbidden',
      what: `the cluster does not allow the request for ${subjectText(error.request)}`,
      why: error.message,
      next: 'ask whoever administers the cluster for the right, or use another context',
      cause: error,
    });
  }
  const { user, right } = refused;
  if (user === 'system:anonymous') {
    return new LogtoolError({
      code: 'forbidden-anonymous',
      what: `no credentials were sent, and the cluster does not let strangers ${rightText(right)}`,
      why: error.message,
      next: 'give the user of this context a token, a client certificate or a plugin in the kubeconfig',
      cause: error,
    });
  }
  return new LogtoolError({
    code: 'forbidden',
    what: `you lack permission to ${rightText(right)}`,
    // Access is decided before existence: a user with rights on single names gets the same answer for absent ones.
    why:
      right.name === undefined
        ? error.message
        : `${error.message}; the cluster says the same when there is no such object and your rights name others`,
    next: `${right.name === undefined ? 'check with' : 'check the name, and the right with'}: ${canILine(right)}${right.verb === 'impersonate' ? '' : (cluster.asFlags ?? '')}`,
    cause: error,
  });
}

function notAdmitted(error: KubeError): LogtoolError {
  const namespace = error.request?.namespace ?? '';
  if (error.message.includes('because it is being terminated')) return namespaceLeaving(namespace, error);
  return new LogtoolError({
    code: 'not-admitted',
    what: `the cluster does not admit ${subjectText(error.request)}`,
    why: error.message,
    next: 'no right is missing: a quota or a policy is in the way. Keep to it, or ask whoever administers the cluster',
    cause: error,
  });
}

/** Nothing can be made in a namespace that is on its way out. */
export function namespaceLeaving(namespace: string, cause?: unknown): LogtoolError {
  return new LogtoolError({
    code: 'namespace-leaving',
    what: `the namespace ${namespace} is being deleted: nothing can be made in it`,
    next: `wait until it is gone (kubectl get namespace ${quoteWord(namespace)}), or choose another one`,
    cause,
  });
}

/** The right that was refused, where that is known, with the line that checks it; undefined for other refusals. */
export function refusedRight(error: KubeError): (RequestSubject & { readonly check: string }) | undefined {
  if (PATH_REFUSAL.test(error.message)) return undefined;
  const refused = readRefusal(error);
  if (refused === undefined || refused.user === 'system:anonymous') return undefined;
  return { ...refused.right, check: canILine(refused.right) };
}

/** A right that a review said is missing, in the words of a refusal. */
export function missingRight(right: RequestSubject): LogtoolError {
  return new LogtoolError({
    code: 'forbidden',
    what: `you lack permission to ${rightText(right)}`,
    why: 'an access review of the cluster says so',
    next: `check with: ${canILine(right)}`,
    cause: new KubeError({ kind: 'forbidden', message: 'an access review denied it', request: right }),
  });
}

function readRefusal(
  error: KubeError,
): { readonly user: string; readonly right: RequestSubject } | undefined {
  const match = REFUSAL.exec(error.message);
  if (match === null) {
    // Webhook authorizers and proxies word it their own way; what was asked is known all the same.
    if (error.request === undefined || error.request.resource.startsWith('/')) return undefined;
    return { user: '', right: error.request };
  }
  const [, user = '', verb = '', path = '', group = '', namespace] = match;
  const [plural = '', subresource] = path.split('/');
  const resource = group === '' ? plural : `${plural}.${group}`;
  return { user, right: { verb, resource, subresource, namespace, name: error.details?.name } };
}

/** `get pod web-1 in namespace shop`, `list nodes`: a verb, what it is for, and where. */
function rightText(right: RequestSubject): string {
  const { verb, resource, subresource, namespace, name } = right;
  const path = subresource === undefined ? resource : `${resource}/${subresource}`;
  if (name === undefined) return `${verb} ${path}${scopeText(right)}`;
  const singular = singularOf(resource);
  const named = singular === undefined ? `${resource} "${name}"` : `${singular} ${quoteWord(name)}`;
  const what = subresource === undefined ? named : `the ${subresource} of ${named}`;
  return `${verb} ${what}${namespace === undefined ? '' : ` in namespace ${namespace}`}`;
}

/** Where a right on all objects of a kind is missing. Of a kind that is not known here the scope is not, either. */
function scopeText({ resource, namespace }: RequestSubject): string {
  if (namespace !== undefined) return ` in namespace ${namespace}`;
  const type = builtinOf(resource);
  if (type === undefined) return ' in the whole cluster';
  return type.namespaced ? ' in all namespaces' : '';
}

/** Singular word for one object; undefined for kinds that are not known here: their plural need not be regular. */
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

/** The `kubectl auth can-i` line that asks for exactly this right. */
function canILine(right: RequestSubject): string {
  const { verb, resource, subresource, namespace, name } = right;
  const target = name === undefined ? resource : `${resource}/${name}`;
  const words = ['kubectl', 'auth', 'can-i', verb, target];
  if (subresource !== undefined) words.push(`--subresource=${subresource}`);
  if (namespace !== undefined) words.push('-n', namespace);
  else words.push('--all-namespaces');
  return words.map(quoteWord).join(' ');
}

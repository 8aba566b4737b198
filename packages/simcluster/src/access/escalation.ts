import type { User } from '../api/http/request.ts';
import { ApiError, notFound } from '../api-error.ts';
import type { Store, StoredObject } from '../store/store.ts';
import { authorize, type PolicyRule, rulesOf } from './rbac.ts';

const RBAC = 'rbac.authorization.k8s.io';
const EVERYTHING: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

/** The parts of a request for a role or a binding that decide the check; `name` is '' in a POST. */
export interface GrantRequest {
  readonly user: User;
  readonly name: string;
  readonly namespace: string | undefined;
}

/**
 * Checks that no user grants permissions that they lack: a role requires its permissions, or `escalate`; a binding
 * requires those of its role, or `bind` (kubernetes.io/docs/reference/access-authn-authz/rbac, "Privilege escalation
 * prevention and bootstrapping").
 * @throws ApiError 403, and 404 for a binding of a missing role
 */
export function checkEscalation(store: Store, request: GrantRequest, object: StoredObject): void {
  const { user } = request;
  if (user.groups.includes('system:masters')) return;
  switch (object.kind) {
    case 'Role':
    case 'ClusterRole':
      if (!mayUse(store, request, 'escalate', `${object.kind.toLowerCase()}s`, request.name))
        checkRole(store, request, object);
      return;
    case 'RoleBinding':
    case 'ClusterRoleBinding': {
      const { kind, name = '' } = (object.roleRef ?? {}) as { kind?: string; name?: string };
      const plural = kind === 'ClusterRole' ? 'clusterroles' : 'roles';
      if (mayUse(store, request, 'bind', plural, name)) return;
      const bindingNamespace = plural === 'roles' ? request.namespace : undefined;
      const role = store.get(`${plural}.${RBAC}`, bindingNamespace, name);
      if (role === undefined) throw notFound({ group: RBAC, plural }, name);
      checkHeld(store, request, object, rulesIn(role));
    }
  }
}

function checkRole(store: Store, request: GrantRequest, role: StoredObject): void {
  checkHeld(store, request, role, rulesIn(role));
  const { clusterRoleSelectors } = (role.aggregationRule ?? {}) as { clusterRoleSelectors?: unknown };
  const gathers = Array.isArray(clusterRoleSelectors) && clusterRoleSelectors.length > 0;
  if (gathers && missingOf(store, request, EVERYTHING).length > 0)
    throw refused(role, 'must have cluster-admin privileges to use the aggregationRule');
}

function mayUse(
  store: Store,
  { user, namespace }: GrantRequest,
  verb: string,
  resource: string,
  name: string,
): boolean {
  const attributes = {
    kind: 'resource',
    verb,
    group: RBAC,
    resource,
    subresource: '',
    namespace,
    name,
  } as const;
  return authorize(store, user, attributes).allowed;
}

function checkHeld(
  store: Store,
  request: GrantRequest,
  object: StoredObject,
  rules: readonly PolicyRule[],
): void {
  const missing = missingOf(store, request, rules);
  if (missing.length === 0) return;
  const { name, groups } = request.user;
  const who = `user ${JSON.stringify(name)} (groups=${quoted(groups)})`;
  const lines = [...new Set(compact(missing).map(ruleText))].sort();
  throw refused(
    object,
    `${who} is attempting to grant RBAC permissions not currently held:\n${lines.join('\n')}`,
  );
}

function refused({ kind, metadata: { name } }: StoredObject, why: string): ApiError {
  const plural = `${kind.toLowerCase()}s`;
  const message = `${plural}.${RBAC} ${JSON.stringify(name)} is forbidden: ${why}`;
  return new ApiError(403, 'Forbidden', message, { name, group: RBAC, kind: plural });
}

function rulesIn({ rules }: StoredObject): readonly PolicyRule[] {
  return Array.isArray(rules) ? rules : [];
}

function missingOf(
  store: Store,
  { user, namespace }: GrantRequest,
  rules: readonly PolicyRule[],
): readonly PolicyRule[] {
  const held = rulesOf(store, user, namespace);
  return rules.flatMap(singleRules).filter((rule) => !held.some((one) => covers(one, rule)));
}

/** Splits a rule into one verb on one resource (and one name, if the rule has names), or one verb on one path. */
function singleRules(rule: PolicyRule): readonly PolicyRule[] {
  const { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const names = resourceNames.length === 0 ? [undefined] : resourceNames;
  const onResources = apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      verbs.flatMap((verb) =>
        names.map((name) => ({
          apiGroups: [group],
          resources: [resource],
          verbs: [verb],
          ...(name === undefined ? {} : { resourceNames: [name] }),
        })),
      ),
    ),
  );
  const onPaths = nonResourceURLs.flatMap((url) =>
    verbs.map((verb) => ({ nonResourceURLs: [url], verbs: [verb] })),
  );
  return [...onResources, ...onPaths];
}

function covers(
  held: PolicyRule,
  { verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule,
) {
  const names = held.resourceNames ?? [];
  return (
    holds(held.verbs, verbs) &&
    holds(held.apiGroups, apiGroups) &&
    (resources ?? []).every((resource) => holdsResource(held.resources ?? [], resource)) &&
    (nonResourceURLs ?? []).every((url) => (held.nonResourceURLs ?? []).some((one) => holdsUrl(one, url))) &&
    (names.length === 0 || (resourceNames !== undefined && holdsNames(names, resourceNames)))
  );
}

function holds(set: readonly string[] = [], wanted: readonly string[] = []): boolean {
  return set.includes('*') || holdsNames(set, wanted);
}

function holdsNames(set: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((one) => set.includes(one));
}

function holdsResource(set: readonly string[], resource: string): boolean {
  if (set.includes('*') || set.includes(resource)) return true;
  const slash = resource.indexOf('/');
  return slash >= 0 && set.includes(`*${resource.slice(slash)}`);
}

function holdsUrl(held: string, url: string): boolean {
  return held === url || (held.endsWith('*') && url.startsWith(held.replace(/\*+$/, '')));
}

/** Merges rules that differ only in their verbs. */
function compact(rules: readonly PolicyRule[]): readonly PolicyRule[] {
  const found = new Map<string, PolicyRule>();
  for (const { verbs = [], ...rest } of rules) {
    const key = JSON.stringify(rest.nonResourceURLs === undefined ? rest : [rest, verbs]);
    found.set(key, { ...rest, verbs: [...(found.get(key)?.verbs ?? []), ...verbs] });
  }
  return [...found.values()];
}

function ruleText(rule: PolicyRule): string {
  const fields = [
    ['APIGroups', rule.apiGroups],
    ['Resources', rule.resources],
    ['NonResourceURLs', rule.nonResourceURLs],
    ['ResourceNames', rule.resourceNames],
    ['Verbs', rule.verbs],
  ] as const;
  const shown = fields.flatMap(([title, list]) => (list?.length ? [`${title}:${quoted(list)}`] : []));
  return `{${shown.join(', ')}}`;
}

/** Formats `["a" "b"]`, as Go's %q writes a list. */
function quoted(list: readonly string[]): string {
  return `[${list.map((one) => JSON.stringify(one)).join(' ')}]`;
}

import type { User } from '../api/http/request.ts';
import type { Store, StoredObject } from '../store/store.ts';

/** The requested action, as RBAC sees it. */
export type Attributes =
  | {
      readonly kind: 'resource';
      readonly verb: string;
      readonly group: string;
      readonly resource: string;
      readonly subresource: string;
      readonly namespace: string | undefined;
      readonly name: string;
    }
  | { readonly kind: 'path'; readonly verb: string; readonly path: string };

export interface PolicyRule {
  readonly verbs?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

export type Decision = { readonly allowed: true; readonly reason: string } | { readonly allowed: false };

/** A rule that applies to a user, and the text of the reason. */
interface Granted {
  readonly rule: PolicyRule;
  readonly reason: string;
}

const RBAC = 'rbac.authorization.k8s.io';

/** Decides by kubernetes.io/docs/reference/access-authn-authz/rbac; system:masters may do everything. */
export function authorize(store: Store, user: User, attributes: Attributes): Decision {
  if (user.groups.includes('system:masters')) return { allowed: true, reason: '' };
  const namespace = attributes.kind === 'resource' ? attributes.namespace : undefined;
  for (const { rule, reason } of grants(store, user, namespace)) {
    if (ruleAllows(rule, attributes)) return { allowed: true, reason };
  }
  return { allowed: false };
}

/** Returns all rules that apply to a user in a namespace, as a SelfSubjectRulesReview lists them. */
export function rulesOf(store: Store, user: User, namespace: string | undefined): readonly PolicyRule[] {
  return [...grants(store, user, namespace)].map(({ rule }) => rule);
}

function* grants(store: Store, user: User, namespace: string | undefined): Iterable<Granted> {
  for (const binding of store.list(`clusterrolebindings.${RBAC}`)) {
    yield* grantsOf(store, binding, user, undefined);
  }
  if (namespace === undefined) return;
  for (const binding of store.list(`rolebindings.${RBAC}`, namespace)) {
    yield* grantsOf(store, binding, user, namespace);
  }
}

interface Subject {
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
}

function* grantsOf(
  store: Store,
  binding: StoredObject,
  user: User,
  namespace: string | undefined,
): Iterable<Granted> {
  const subjects = Array.isArray(binding.subjects) ? (binding.subjects as readonly Subject[]) : [];
  const subject = subjects.find((candidate) => isSubject(candidate, user, namespace));
  if (subject === undefined) return;
  const { kind, name } = (binding.roleRef ?? {}) as { kind?: string; name?: string };
  if (name === undefined) return;
  const role =
    kind === 'ClusterRole'
      ? store.get(`clusterroles.${RBAC}`, undefined, name)
      : store.get(`roles.${RBAC}`, namespace, name);
  const rules = Array.isArray(role?.rules) ? (role.rules as readonly PolicyRule[]) : [];
  const address = namespace === undefined ? binding.metadata.name : `${binding.metadata.name}/${namespace}`;
  const title = namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding';
  const who = subject.kind === 'ServiceAccount' ? `${subject.name}/${subject.namespace}` : subject.name;
  const reason = `RBAC: allowed by ${title} "${address}" of ${kind} "${name}" to ${subject.kind} "${who}"`;
  for (const rule of rules) yield { rule, reason };
}

function isSubject(subject: Subject, user: User, namespace: string | undefined): boolean {
  switch (subject.kind) {
    case 'User':
      return subject.name === user.name;
    case 'Group':
      return user.groups.includes(subject.name ?? '');
    case 'ServiceAccount':
      return user.name === `system:serviceaccount:${subject.namespace ?? namespace}:${subject.name}`;
    default:
      return false;
  }
}

function ruleAllows(rule: PolicyRule, attributes: Attributes): boolean {
  if (!has(rule.verbs, attributes.verb)) return false;
  if (attributes.kind === 'path') {
    return (rule.nonResourceURLs ?? []).some(
      (url) =>
        url === '*' ||
        url === attributes.path ||
        (url.endsWith('*') && attributes.path.startsWith(url.slice(0, -1))),
    );
  }
  const { resource, subresource, name } = attributes;
  const whole = subresource === '' ? resource : `${resource}/${subresource}`;
  const resources = rule.resources ?? [];
  const named = has(resources, whole) || (subresource !== '' && resources.includes(`*/${subresource}`));
  if (!named || !has(rule.apiGroups, attributes.group)) return false;
  return (rule.resourceNames ?? []).length === 0 || (rule.resourceNames ?? []).includes(name);
}

function has(list: readonly string[] | undefined, value: string): boolean {
  return list !== undefined && (list.includes('*') || list.includes(value));
}

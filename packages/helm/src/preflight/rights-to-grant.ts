import type { ResourceType } from '@logtool/kube/src/client.ts';
import { type ClusterObject, textAt } from '../apply/cluster-object.ts';
import { MANAGED_BY, RELEASE_NAME, RELEASE_NAMESPACE } from '../apply/ownership.ts';
import { type Target, targetKey } from '../apply/target.ts';
import { writeJson } from '../json/write-json.ts';
import type { Value, ValueMap } from '../value/value.ts';
import type { Right } from './check-rights.ts';

const GROUP = 'rbac.authorization.k8s.io';

/**
 * Returns the permissions to grant permissions, for roles and bindings: `escalate` or `bind`, or every one of the
 * granted permissions
 * (https://kubernetes.io/docs/reference/access-authn-authz/rbac/#privilege-escalation-prevention-and-bootstrapping).
 * Objects unchanged from `before` need neither. For a binding whose role is not among the targets, the cluster decides.
 */
export function rightsToGrant(targets: readonly Target[], before: readonly Target[] = []): Right[] {
  const old = new Map(before.map((target) => [targetKey(target), asMarked(target)]));
  const giving = targets.filter(
    (target) => target.type.group === GROUP && old.get(targetKey(target)) !== asMarked(target),
  );
  return giving.flatMap((target): Right[] => {
    const { object, type, namespace } = target;
    if (object.kind === 'Role' || object.kind === 'ClusterRole') {
      const insteadAll = rightsIn(object, namespace);
      return insteadAll.length === 0
        ? []
        : [{ verb: 'escalate', type, namespace, name: object.name, insteadAll }];
    }
    const role = boundRole(target, targets);
    if (role === undefined) return [];
    // A RoleBinding grants the permissions of a ClusterRole only in its namespace.
    const bound = { ...role.type, namespaced: namespace !== undefined };
    const insteadAll = rightsIn(role.object, namespace);
    return [{ verb: 'bind', type: bound, namespace, name: role.object.name, insteadAll }];
  });
}

/** Returns an object as text, with the marks of a release added, because an older revision's objects lack them here. */
function asMarked({ object }: Target): string {
  const { metadata = {}, ...rest } = JSON.parse(writeJson(object.content)) as Marked;
  const { labels = {}, annotations = {}, ...others } = metadata;
  const marks = { annotations: { ...annotations, ...RELEASE }, labels: { ...labels, [MANAGED_BY]: '' } };
  return JSON.stringify([rest, others, marks], (_, value: unknown) => sorted(value));
}

interface Marked {
  readonly metadata?: { readonly labels?: object; readonly annotations?: object };
}

const RELEASE = { [RELEASE_NAME]: '', [RELEASE_NAMESPACE]: '' };

/** Sorts keys, because marks that an object lacked come last in it. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function boundRole({ object, namespace }: Target, targets: readonly Target[]): Target | undefined {
  const reference = object.content.get('roleRef');
  if (!(reference instanceof Map)) return undefined;
  const [kind, name] = [textAt(reference, 'kind'), textAt(reference, 'name')];
  return targets.find(
    (target) =>
      target.type.group === GROUP &&
      target.object.kind === kind &&
      target.object.name === name &&
      (kind === 'ClusterRole' || target.namespace === namespace),
  );
}

/** Returns each permission of a role; only the server checks rules for URL paths. */
function rightsIn({ content }: ClusterObject, namespace: string | undefined): readonly Right[] {
  const rules = content.get('rules');
  return (Array.isArray(rules) ? rules : []).flatMap((rule) =>
    rule instanceof Map ? rightsOf(rule, namespace) : [],
  );
}

function rightsOf(rule: ValueMap, namespace: string | undefined): readonly Right[] {
  const names = textsAt(rule, 'resourceNames');
  return textsAt(rule, 'apiGroups').flatMap((group) =>
    textsAt(rule, 'resources').flatMap((resource) =>
      textsAt(rule, 'verbs').flatMap((verb) =>
        (names.length === 0 ? [undefined] : names).map((name): Right => {
          const [plural = '', subresource] = resource.split('/', 2);
          const type = typeOf(group, plural, namespace !== undefined);
          return { verb, type, namespace, name, subresource };
        }),
      ),
    ),
  );
}

/** Returns a type from a rule, which may name `*` or resources that the cluster does not serve. */
function typeOf(group: string, plural: string, namespaced: boolean): ResourceType {
  return { group, version: '', plural, singular: '', kind: '', shortNames: [], namespaced, verbs: [] };
}

function textsAt(map: ValueMap, key: string): readonly string[] {
  const list: Value | undefined = map.get(key);
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
}

import { resourcesOf } from '../api/discovery/resources.ts';
import { accessObjects } from '../scenario/access-objects.ts';
import type { ScenarioUser } from '../scenario/schema.ts';
import { SimClusterError } from '../simcluster-error.ts';
import type { Store, StoredObject } from '../store/store.ts';

export type AccessRule = ScenarioUser['rules'][number];

const RBAC = 'rbac.authorization.k8s.io';
const BINDINGS = [
  { bindings: `rolebindings.${RBAC}`, roles: `roles.${RBAC}` },
  { bindings: `clusterrolebindings.${RBAC}`, roles: `clusterroles.${RBAC}` },
] as const;

/** Removes a user's own roles and bindings (which have the user's name) and creates new ones from the rules. */
export function setRules(store: Store, user: string, rules: readonly AccessRule[]): void {
  for (const { bindings, roles } of BINDINGS) {
    for (const binding of bindingsOf(store, bindings, user)) {
      store.remove(bindings, binding.metadata.namespace, user);
      store.remove(roles, binding.metadata.namespace, user);
    }
  }
  const given = { name: user, auth: 'token' as const, groups: [], expired: false, rules: [...rules] };
  for (const { resource, object } of accessObjects([given])) store.create(resource, object);
}

/** See ClusterControl.denyNamespace. */
export function denyNamespace(store: Store, user: string, namespace: string): void {
  const others = store
    .list('namespaces')
    .map(({ metadata }) => metadata.name)
    .filter((name) => name !== namespace);
  const rules = BINDINGS.flatMap(({ bindings, roles }) =>
    bindingsOf(store, bindings, user).flatMap((binding) => rulesOf(store, roles, binding)),
  );
  if (rules.length === 0) {
    throw new SimClusterError('control-target-missing', {
      what: `user ${user} has no rules of its own that could be narrowed`,
      next: 'name a user of the scenario that has rules',
    });
  }
  setRules(
    store,
    user,
    rules.flatMap((rule) => {
      if (rule.namespace !== undefined) return rule.namespace === namespace ? [] : [rule];
      return [...clusterRule(store, rule), ...others.map((other) => ({ ...rule, namespace: other }))];
    }),
  );
}

function bindingsOf(store: Store, resource: string, user: string): readonly StoredObject[] {
  return store.list(resource).filter(({ metadata, subjects }) => {
    if (metadata.name !== user || !Array.isArray(subjects)) return false;
    const [subject] = subjects as { kind?: string; name?: string }[];
    return subjects.length === 1 && subject?.kind === 'User' && subject.name === user;
  });
}

function rulesOf(store: Store, roles: string, binding: StoredObject): readonly AccessRule[] {
  const { namespace, name } = binding.metadata;
  const rules = store.get(roles, namespace, name)?.rules;
  return ((rules ?? []) as AccessRule[]).map((rule) => ({ ...rule, namespace }));
}

/** Returns what a rule allows on cluster-scoped resources. */
function clusterRule(store: Store, rule: AccessRule): readonly AccessRule[] {
  const names = resourcesOf(store)
    .filter(
      ({ namespaced, group }) =>
        !namespaced && (rule.apiGroups.includes('*') || rule.apiGroups.includes(group)),
    )
    .map(({ plural }) => plural);
  const resources = names.filter((name) => rule.resources.includes('*') || rule.resources.includes(name));
  return resources.length === 0 ? [] : [{ ...rule, resources }];
}

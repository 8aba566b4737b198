import type { ScenarioUser } from './schema.ts';
import type { NewObject } from './workload-objects.ts';

const RBAC = 'rbac.authorization.k8s.io';

/** Returns the roles and bindings for a scenario's users. */
export function accessObjects(users: readonly ScenarioUser[]): readonly NewObject[] {
  return users.flatMap((user) => {
    const namespaces = [...new Set(user.rules.map((rule) => rule.namespace))];
    return namespaces.flatMap((namespace) => roleAndBinding(user, namespace));
  });
}

function roleAndBinding(user: ScenarioUser, namespace: string | undefined): readonly NewObject[] {
  const rules = user.rules
    .filter((rule) => rule.namespace === namespace)
    .map(({ apiGroups, resources, verbs, resourceNames }) => ({
      verbs,
      apiGroups,
      resources,
      ...(resourceNames === undefined ? {} : { resourceNames }),
    }));
  const [role, binding] =
    namespace === undefined ? ['ClusterRole', 'ClusterRoleBinding'] : ['Role', 'RoleBinding'];
  const metadata = { name: user.name, ...(namespace === undefined ? {} : { namespace }) };
  const apiVersion = `${RBAC}/v1`;
  return [
    { resource: `${role.toLowerCase()}s.${RBAC}`, object: { apiVersion, kind: role, metadata, rules } },
    {
      resource: `${binding.toLowerCase()}s.${RBAC}`,
      object: {
        apiVersion,
        kind: binding,
        metadata,
        roleRef: { apiGroup: RBAC, kind: role, name: user.name },
        subjects: [{ kind: 'User', apiGroup: RBAC, name: user.name }],
      },
    },
  ];
}

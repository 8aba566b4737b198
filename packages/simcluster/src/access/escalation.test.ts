import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { describe, expect, test } from 'vitest';
import { createStore } from '../store/memory-store.ts';
import { bootstrapRoles } from './bootstrap.ts';
import { checkEscalation } from './escalation.ts';
import type { PolicyRule } from './rbac.ts';

const GROUP = 'rbac.authorization.k8s.io';
const dev = { name: 'dev', groups: ['devs', 'system:authenticated'] };

/** Returns the answer to the user `dev`, who has these rules in the namespace shop, when writing this object. */
function denied(held: readonly PolicyRule[], kind: string, more: object, groups = dev.groups): string {
  const store = createStore({ clock: systemClock });
  bootstrapRoles(store);
  const own = { name: 'own', namespace: 'shop' };
  store.create(`roles.${GROUP}`, { kind: 'Role', metadata: own, rules: held });
  store.create(`rolebindings.${GROUP}`, {
    kind: 'RoleBinding',
    metadata: own,
    roleRef: { kind: 'Role', name: 'own' },
    subjects: [{ kind: 'User', name: 'dev' }],
  });
  const scope = kind.startsWith('Cluster') ? {} : { namespace: 'shop' };
  const object = {
    apiVersion: `${GROUP}/v1`,
    kind,
    metadata: { name: 'new', uid: '', creationTimestamp: '', resourceVersion: '', ...scope },
    ...more,
  };
  try {
    checkEscalation(
      store,
      { user: { name: 'dev', groups }, name: 'new', namespace: scope.namespace },
      object,
    );
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

const on = (resources: string[], verbs: string[], resourceNames?: string[]): PolicyRule => ({
  apiGroups: [''],
  resources,
  verbs,
  ...(resourceNames === undefined ? {} : { resourceNames }),
});
const WHO = 'user "dev" (groups=["devs" "system:authenticated"])';

describe('a role', () => {
  test('is refused with what of it is not held, in the words of a real server', () => {
    const rules = [
      on(['pods', 'secrets'], ['get', 'list']),
      on(['configmaps'], ['get'], ['one']),
      { verbs: ['get'], nonResourceURLs: ['/metrics'] },
    ];
    expect(denied([on(['pods'], ['get'])], 'Role', { rules })).toBe(
      `roles.rbac.authorization.k8s.io "new" is forbidden: ${WHO} is attempting to grant RBAC permissions not currently held:
{APIGroups:[""], Resources:["configmaps"], ResourceNames:["one"], Verbs:["get"]}
{APIGroups:[""], Resources:["pods"], Verbs:["list"]}
{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list"]}
{NonResourceURLs:["/metrics"], Verbs:["get"]}`,
    );
  });
  test.each([
    ['the same', [on(['pods'], ['get'])], on(['pods'], ['get'])],
    ['all verbs', [on(['pods'], ['*'])], on(['pods'], ['get', 'list'])],
    ['all resources', [on(['*'], ['get'])], on(['pods/log'], ['get'])],
    ['a subresource of all', [on(['*/scale'], ['get'])], on(['deployments/scale'], ['get'])],
    ['all names', [on(['pods'], ['get'])], on(['pods'], ['get'], ['a'])],
    ['the same among names', [on(['pods'], ['get'], ['a', 'b'])], on(['pods'], ['get'], ['b'])],
  ])('is taken from who holds %s', (_, held, rule) => {
    expect(denied(held, 'Role', { rules: [rule] })).toBe('');
  });
  test.each([
    ['some names', [on(['pods'], ['get'], ['a'])], on(['pods'], ['get'])],
    ['single verbs', [on(['pods'], ['get', 'list', 'watch'])], on(['pods'], ['*'])],
    ['the resource without its subresource', [on(['pods'], ['get'])], on(['pods/log'], ['get'])],
  ])('is refused from who holds %s', (_, held, rule) => {
    expect(denied(held, 'Role', { rules: [rule] })).toContain('not currently held');
  });
  test('for the cluster takes rights in the cluster', () => {
    const held = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
    expect(denied(held, 'ClusterRole', { rules: [on(['pods'], ['get'])] })).toContain(
      'clusterroles.rbac.authorization.k8s.io "new" is forbidden',
    );
    expect(denied(held, 'ClusterRole', { aggregationRule: { clusterRoleSelectors: [{}] } })).toContain(
      'must have cluster-admin privileges to use the aggregationRule',
    );
  });
  test('is taken from who may escalate, and from masters', () => {
    const rules = [on(['secrets'], ['get'])];
    const escalate = { apiGroups: [GROUP], resources: ['roles'], verbs: ['escalate'] };
    expect(denied([escalate], 'Role', { rules })).toBe('');
    expect(denied([], 'Role', { rules }, ['system:masters'])).toBe('');
  });
});

describe('a binding', () => {
  const roleRef = { apiGroup: GROUP, kind: 'ClusterRole', name: 'view' };
  test('takes the rights of its role, or to bind it', () => {
    expect(denied([], 'RoleBinding', { roleRef })).toContain('rolebindings.rbac.authorization.k8s.io "new"');
    const bind = (name: string) => ({
      apiGroups: [GROUP],
      resources: ['clusterroles'],
      resourceNames: [name],
      verbs: ['bind'],
    });
    expect(denied([bind('view')], 'RoleBinding', { roleRef })).toBe('');
    expect(denied([bind('edit')], 'RoleBinding', { roleRef })).toContain('not currently held');
    expect(denied([bind('view')], 'ClusterRoleBinding', { roleRef })).toContain('not currently held');
    expect(denied([], 'RoleBinding', { roleRef: { kind: 'Role', name: 'own' } })).toBe('');
  });
  test('of a missing role is refused as missing, unless the user may bind it', () => {
    expect(denied([], 'RoleBinding', { roleRef: { kind: 'Role', name: 'none' } })).toBe(
      'roles.rbac.authorization.k8s.io "none" not found',
    );
  });
});

import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { expect, test } from 'vitest';
import { createStore } from '../store/memory-store.ts';
import { bootstrapRoles } from './bootstrap.ts';
import { type Attributes, authorize, type PolicyRule } from './rbac.ts';

const GROUP = 'rbac.authorization.k8s.io';

function storeWith(rules: readonly PolicyRule[], subject: Record<string, string>) {
  const store = createStore({ clock: systemClock });
  bootstrapRoles(store);
  store.create(`roles.${GROUP}`, { kind: 'Role', metadata: { name: 'r', namespace: 'shop' }, rules });
  store.create(`rolebindings.${GROUP}`, {
    kind: 'RoleBinding',
    metadata: { name: 'b', namespace: 'shop' },
    roleRef: { kind: 'Role', name: 'r' },
    subjects: [subject],
  });
  return store;
}

function ask(
  verb: string,
  resource: string,
  more: Partial<Extract<Attributes, { kind: 'resource' }>> = {},
): Attributes {
  return {
    kind: 'resource',
    verb,
    group: '',
    resource,
    subresource: '',
    namespace: 'shop',
    name: '',
    ...more,
  };
}

const dev = { name: 'dev', groups: ['system:authenticated'] };

test('a role holds in its namespace, for its verbs, resources and names only', () => {
  const rules = [
    { verbs: ['get'], apiGroups: [''], resources: ['pods', 'pods/log'], resourceNames: ['db-0'] },
  ];
  const store = storeWith(rules, { kind: 'User', name: 'dev' });
  const may = (attributes: Attributes) => authorize(store, dev, attributes).allowed;
  expect(may(ask('get', 'pods', { name: 'db-0' }))).toBe(true);
  expect(may(ask('get', 'pods', { name: 'db-0', subresource: 'log' }))).toBe(true);
  expect(may(ask('get', 'pods', { name: 'db-1' }))).toBe(false);
  expect(may(ask('list', 'pods'))).toBe(false);
  expect(may(ask('get', 'pods', { name: 'db-0', namespace: 'lab' }))).toBe(false);
  expect(may(ask('get', 'pods', { name: 'db-0', namespace: undefined }))).toBe(false);
  expect(may(ask('get', 'pods', { name: 'db-0', group: 'apps' }))).toBe(false);
  expect(authorize(store, { ...dev, name: 'other' }, ask('get', 'pods', { name: 'db-0' })).allowed).toBe(
    false,
  );
});

test('groups and service accounts are subjects as well', () => {
  const rules = [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }];
  const byGroup = storeWith(rules, { kind: 'Group', name: 'team' });
  expect(authorize(byGroup, { name: 'x', groups: ['team'] }, ask('delete', 'secrets')).allowed).toBe(true);
  const account = storeWith(rules, { kind: 'ServiceAccount', name: 'bot', namespace: 'shop' });
  const user = { name: 'system:serviceaccount:shop:bot', groups: [] };
  expect(authorize(account, user, ask('get', 'pods')).allowed).toBe(true);
});

test('everybody may read the version, the authenticated discovery too', () => {
  const store = storeWith([], { kind: 'User', name: 'dev' });
  const anonymous = { name: 'system:anonymous', groups: ['system:unauthenticated'] };
  const path = (text: string): Attributes => ({ kind: 'path', verb: 'get', path: text });
  expect(authorize(store, anonymous, path('/version')).allowed).toBe(true);
  expect(authorize(store, anonymous, path('/apis')).allowed).toBe(false);
  expect(authorize(store, dev, path('/apis/apps/v1')).allowed).toBe(true);
  expect(authorize(store, dev, path('/metrics')).allowed).toBe(false);
});

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Lab, startLab, until } from './lab.ts';

/* The real kubectl: both ways to apply, field validation, patches, custom resources. */
let lab: Lab;
beforeAll(async () => {
  lab = await startLab();
});
afterAll(() => lab?.close());

async function apply(content: object, ...args: readonly string[]) {
  const file = join(lab.folder, 'object.json');
  await writeFile(file, JSON.stringify(content));
  return lab.kubectl('apply', '-f', file, ...args);
}
const map = (name: string, data: object) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  data,
});
const data = (name: string) => lab.cluster.store.get('configmaps', 'default', name)?.data;

test('client-side apply creates an object, finds it unchanged, changes it, and removes dropped fields', async () => {
  expect((await apply(map('a', { x: '1', y: '1' }))).stdout).toBe('configmap/a created\n');
  expect((await apply(map('a', { x: '1', y: '1' }))).stdout).toBe('configmap/a unchanged\n');
  expect((await apply(map('a', { x: '2' }))).stdout).toBe('configmap/a configured\n');
  expect(data('a')).toEqual({ x: '2' });
});

test('server-side apply reports other owners, and forces them away', async () => {
  const mine = ['--server-side', '--field-manager=mine'];
  const theirs = ['--server-side', '--field-manager=theirs'];
  expect((await apply(map('b', { x: '1' }), ...mine)).stdout).toBe('configmap/b serverside-applied\n');
  const refused = await apply(map('b', { x: '2', y: '2' }), ...theirs);
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toMatch(/^error: Apply failed with 1 conflict: conflict with "mine": \.data\.x\n/);
  expect(data('b')).toEqual({ x: '1' });
  await apply(map('b', { x: '2', y: '2' }), ...theirs, '--force-conflicts');
  await apply(map('b', {}), ...mine);
  expect(data('b')).toEqual({ x: '2', y: '2' });
});

describe('fields that a type does not have', () => {
  const wrong = { ...map('c', { x: '1' }), spec: { a: 1 } };
  test('are refused by kubectl apply, which is strict', async () => {
    const ran = await apply(wrong);
    expect(ran.stderr).toContain(
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "spec"',
    );
    expect(data('c')).toBeUndefined();
  });
  test('are warned of, and dropped', async () => {
    const ran = await apply(wrong, '--validate=warn');
    expect(ran.stderr).toContain('Warning: unknown field "spec"');
    expect(lab.cluster.store.get('configmaps', 'default', 'c')).not.toHaveProperty('spec');
  });
  test('are found in a patch as well', async () => {
    const patch = ['patch', 'configmap', 'c', '--type=merge', '-p', '{"daat": {"x": "2"}}'];
    expect((await lab.kubectl(...patch)).stderr).toContain('Warning: unknown field "daat"');
  });
});

test('a wrong type is an error in the words of Go', async () => {
  const ran = await apply(map('d', { x: 1 }), '--validate=ignore');
  expect(ran.stderr).toContain(
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
  );
});

test('patches of all three kinds change what they name', async () => {
  await apply(map('e', { x: '1', y: '1' }));
  const patch = (type: string, content: object) =>
    lab.kubectl('patch', 'configmap', 'e', `--type=${type}`, '-p', JSON.stringify(content));
  await patch('strategic', { data: { x: null, z: '1' } });
  await patch('merge', { data: { y: '2' } });
  await patch('json', [{ op: 'add', path: '/data/w', value: '3' }]);
  expect(data('e')).toEqual({ y: '2', z: '1', w: '3' });
});

const GADGET_PROPERTIES = {
  spec: {
    type: 'object',
    required: ['size'],
    properties: {
      size: { type: 'integer', maximum: 9 },
      name: { type: 'string', pattern: '^[a-z]*$' },
      mode: { type: 'string', enum: ['fast', 'slow'], default: 'fast' },
    },
  },
};
const GADGETS = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gadgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'gadgets', kind: 'Gadget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: GADGET_PROPERTIES } },
      },
    ],
  },
};
const gadget = (spec: object) => ({
  apiVersion: 'example.com/v1',
  kind: 'Gadget',
  metadata: { name: 'g', namespace: 'default' },
  spec,
});

test('a custom resource is served, explained, applied and pruned as soon as its definition exists', async () => {
  expect((await apply(GADGETS)).exitCode).toBe(0);
  const established = await lab.kubectl('wait', '--for=condition=established', 'crd/gadgets.example.com');
  expect(established.exitCode).toBe(0);
  expect((await apply(gadget({ size: 1 }), '--server-side')).stdout).toContain('serverside-applied');
  const refused = await apply(gadget({ size: 1, color: 'red' }), '--server-side');
  expect(refused.stderr).toContain('.spec.color: field not declared in schema');
  expect(lab.cluster.store.get('gadgets.example.com', 'default', 'g')?.spec).toEqual({
    size: 1,
    mode: 'fast',
  });
  const wrong = await apply(gadget({ size: 10, mode: 'slack', name: 'A' }));
  expect(wrong.stderr).toContain(
    'spec.size: Invalid value: 10: spec.size in body should be less than or equal to 9',
  );
  expect(wrong.stderr).toContain('spec.mode: Unsupported value: "slack": supported values: "fast", "slow"');
  expect(wrong.stderr).toContain(`spec.name: Invalid value: "A": spec.name in body should match '^[a-z]*$'`);
  const bare = { ...gadget({}), metadata: { name: 'bare', namespace: 'default' } };
  expect((await apply(bare)).stderr).toContain('The Gadget "bare" is invalid: spec.size: Required value');
  const mistyped = { ...gadget({ size: 'x' }), metadata: { name: 'mistyped', namespace: 'default' } };
  expect((await apply(mistyped)).stderr).toContain('spec.size in body must be of type integer: "string"');
  expect((await lab.kubectl('explain', 'gadget.spec.size')).stdout).toContain('size <integer>');
  await lab.kubectl('delete', 'crd', 'gadgets.example.com');
  expect((await lab.kubectl('get', 'gadgets')).stderr).toContain('(NotFound)');
  expect(lab.cluster.store.list('gadgets.example.com')).toEqual([]);
});

test('an object that a finalizer holds keeps its namespace, in which nothing new is made', async () => {
  await lab.kubectl('create', 'namespace', 'held');
  const metadata = { name: 'h', namespace: 'held', finalizers: ['example.com/hold'] };
  await apply({ ...map('h', {}), metadata: metadata });
  await lab.kubectl('delete', 'namespace', 'held', '--wait=false');
  await until(lab, 'configmaps', 'held', 'h', (object) => object?.metadata.deletionTimestamp !== undefined);
  const refused = await lab.kubectl('-n', 'held', 'create', 'configmap', 'more');
  expect(refused.stderr).toContain('because it is being terminated');
  await lab.kubectl(
    '-n',
    'held',
    'patch',
    'configmap',
    'h',
    '--type=merge',
    '-p',
    '{"metadata":{"finalizers":null}}',
  );
  await until(lab, 'namespaces', '', 'held', (namespace) => namespace === undefined);
});

test('an access review answers for the resources of charts, for oneself and for others', async () => {
  const can = await lab.kubectl('auth', 'can-i', 'create', 'apiservices.apiregistration.k8s.io');
  expect(can.stdout).toBe('yes\n');
  const as = ['--as=nobody', 'auth', 'can-i', 'create', 'validatingwebhookconfigurations'];
  expect((await lab.kubectl(...as)).stdout).toBe('no\n');
});

test('a token of a service account signs in as that account, with its bindings, as long as the account exists', async () => {
  await lab.kubectl('create', 'serviceaccount', 'robot');
  await lab.kubectl('create', 'rolebinding', 'robot', '--clusterrole=view', '--serviceaccount=default:robot');
  const token = (await lab.kubectl('create', 'token', 'robot')).stdout.trim();
  const anonymous = join(lab.folder, 'anonymous');
  const { server } = lab.cluster;
  await writeFile(anonymous, '{"kind":"Config","apiVersion":"v1"}');
  const bare = [
    '--kubeconfig',
    anonymous,
    `--server=${server}`,
    '--insecure-skip-tls-verify',
    `--token=${token}`,
  ];
  expect((await lab.kubectl(...bare, 'auth', 'whoami', '-o', 'name')).exitCode).toBe(0);
  expect((await lab.kubectl(...bare, 'auth', 'can-i', 'list', 'pods')).stdout).toBe('yes\n');
  expect((await lab.kubectl(...bare, 'auth', 'can-i', 'list', 'secrets')).stdout).toBe('no\n');
  expect((await lab.kubectl(...bare.slice(0, -1), `--token=${token}x`, 'get', 'pods')).stderr).toContain(
    'Unauthorized',
  );
  await lab.kubectl('delete', 'serviceaccount', 'robot');
  expect((await lab.kubectl(...bare, 'get', 'pods')).stderr).toContain('Unauthorized');
});

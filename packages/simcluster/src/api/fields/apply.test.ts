import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findType } from '../schema/find-type.ts';
import { ANY, type Shape } from '../schema/shape.ts';
import { withoutEmpty } from '../schema/without-empty.ts';
import { applyConfiguration } from './apply.ts';
import { difference, fromFieldsV1, pathsOf, pathText, toFieldsV1, union } from './field-set.ts';
import { type Owner, ownerId, readOwners, writeOwners } from './managed.ts';
import { fieldsNamedBy } from './owned.ts';
import { withZeroValues } from './zero-values.ts';

const DEPLOYMENT = findType('apps.Deployment') ?? ANY;
const SERVICE = findType('core.Service') ?? ANY;

function container(name: string, more: object = {}) {
  return { name, image: `${name}:1`, ...more };
}
function deployment(...containers: readonly object[]) {
  return { spec: { template: { spec: { containers } } } };
}
const NAME = { operation: 'Apply', apiVersion: 'apps/v1', subresource: '' } as const;

/** Applies configurations one after another, and forces away the conflicts of each manager. */
function applied(shape: Shape, ...steps: readonly (readonly [string, object])[]) {
  let live: unknown = {};
  let owners: ReadonlyMap<string, Owner> = new Map();
  for (const [manager, config] of steps) {
    const name = { ...NAME, manager };
    const next = applyConfiguration({
      shape,
      live: withZeroValues(shape, live),
      config,
      owners,
      name,
      force: true,
      time: '2026-11-21T02:10:50Z',
      untouched: [],
    });
    if (!('object' in next)) throw new Error('a forced apply has no conflicts');
    live = withoutEmpty(shape, next.object);
    owners = next.owners;
  }
  return { live, owners };
}
const texts = (owners: ReadonlyMap<string, Owner>, manager: string) =>
  pathsOf(owners.get(ownerId({ ...NAME, manager }))?.set ?? fieldsNamedBy(ANY, {})).map((path) =>
    pathText(path),
  );

describe('server-side apply', () => {
  test('items of a list by keys are merged by them, and keep their order', () => {
    const { live } = applied(
      DEPLOYMENT,
      ['a', deployment(container('one'), container('two'))],
      ['b', deployment(container('two', { tty: true }), container('three'))],
    );
    expect(live).toMatchObject(deployment({ name: 'one' }, { name: 'two', tty: true }, { name: 'three' }));
  });

  test('what a manager no longer applies goes, unless another applies it too', () => {
    const ports = (...numbers: readonly number[]) => ({ spec: { ports: numbers.map((port) => ({ port })) } });
    const { live, owners } = applied(SERVICE, ['a', ports(80, 443)], ['b', ports(443)], ['a', ports(80)]);
    expect(live).toMatchObject(ports(80, 443));
    expect(texts(owners, 'a')).toEqual([
      '.spec.ports[port=80,protocol="TCP"]',
      '.spec.ports[port=80,protocol="TCP"].port',
    ]);
    expect(applied(SERVICE, ['a', ports(80, 443)], ['a', ports(80)]).live).toMatchObject(ports(80));
  });

  test('a map that is owned as a whole is replaced, another is merged', () => {
    const service = (selector: object, labels: object) => ({ metadata: { labels }, spec: { selector } });
    const { live } = applied(
      SERVICE,
      ['a', service({ x: '1' }, { x: '1' })],
      ['b', service({ y: '2' }, { y: '2' })],
    );
    expect(live).toMatchObject(service({ y: '2' }, { x: '1', y: '2' }));
  });

  test('a change of what another owns is a conflict, the same value is shared', () => {
    const owners = applied(SERVICE, ['a', { spec: { type: 'NodePort' } }]);
    const next = (type: string) =>
      applyConfiguration({
        shape: SERVICE,
        live: owners.live,
        owners: owners.owners,
        name: { ...NAME, manager: 'b' },
        config: { spec: { type } },
        force: false,
        time: '',
        untouched: [],
      });
    expect(next('ClusterIP')).toMatchObject({ conflicts: [{ owner: { manager: 'a' } }] });
    expect(next('NodePort')).not.toHaveProperty('conflicts');
  });
});

const key = fc.constantFrom('a', 'b', 'c', 'd');
const config = fc.record({
  metadata: fc.record({ labels: fc.dictionary(key, key) }),
  spec: fc.record({
    ports: fc.uniqueArray(fc.record({ port: fc.nat(4), name: key }), { selector: ({ port }) => port }),
    externalIPs: fc.array(key),
    selector: fc.dictionary(key, key),
  }),
});

test('an applier without others gets exactly what it applied last, and applying it again changes nothing', () => {
  fc.assert(
    fc.property(config, config, (first, second) => {
      const once = applied(SERVICE, ['a', first], ['a', second]);
      const whole = (value: unknown) => withZeroValues(SERVICE, withoutEmpty(SERVICE, value));
      expect(whole(once.live)).toEqual(whole(second));
      const twice = applied(SERVICE, ['a', first], ['a', second], ['a', second]);
      expect(whole(twice.live)).toEqual(whole(once.live));
      expect(twice.owners).toEqual(once.owners);
    }),
    { numRuns: 200 },
  );
});

test('sets of fields survive their JSON, and a set without itself is empty', () => {
  fc.assert(
    fc.property(config, config, (a, b) => {
      const set = union(fieldsNamedBy(SERVICE, a), fieldsNamedBy(SERVICE, b));
      expect(toFieldsV1(fromFieldsV1(toFieldsV1(set)))).toEqual(toFieldsV1(set));
      expect(pathsOf(difference(set, set))).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

test.each([
  [[{ operation: 'Eat', apiVersion: 'v1', fieldsType: 'FieldsV1' }]],
  [[{ operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV2' }]],
  [[{ operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: { nonsense: {} } }]],
  [[{ operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: { 'k:{': {} } }]],
  ['text'],
])('managedFields that no server wrote are none: %j', (managedFields) => {
  expect(readOwners(managedFields)).toBeUndefined();
});

test('owners are listed appliers first, then by time', () => {
  const owner = (manager: string, operation: 'Apply' | 'Update', time: string): Owner => ({
    manager,
    operation,
    time,
    apiVersion: 'v1',
    subresource: '',
    set: fieldsNamedBy(ANY, { a: 1 }),
  });
  const entries = writeOwners([
    owner('late', 'Update', '2026-01-02T00:00:00Z'),
    owner('early', 'Update', '2026-01-01T00:00:00Z'),
    owner('applier', 'Apply', '2026-01-03T00:00:00Z'),
  ]);
  expect(entries?.map(({ manager }) => manager)).toEqual(['applier', 'early', 'late']);
});

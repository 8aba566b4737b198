import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { StoredObject } from '../../store/store.ts';
import { customShape } from '../schema/custom-schema.ts';
import { applyConfiguration } from './apply.ts';
import { compareStates, ownUpdate } from './change-owners.ts';
import { toFieldsV1 } from './field-set.ts';
import type { Owner } from './managed.ts';

/**
 * Random steps of three managers, with what the API server's own library (sigs.k8s.io/structured-merge-diff v6)
 * answered to each: the object and who owns what in it, or a conflict.
 */
interface Step {
  readonly op: 'apply' | 'update';
  readonly manager: string;
  readonly force: boolean;
  readonly object: Readonly<Record<string, unknown>>;
  readonly answer: { readonly live: unknown; readonly owners: unknown } | { readonly conflict: true };
}
const SEQUENCES = readFileSync(join(import.meta.dirname, 'apply-sequences.ndjson'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as readonly Step[]);

const text = { type: 'string' };
const texts = { type: 'object', additionalProperties: text };
const byName = (more: object) => ({
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
  items: { type: 'object', properties: { name: text, v: text, ...more } },
});
const properties = {
  labels: texts,
  sel: { ...texts, 'x-kubernetes-map-type': 'atomic' },
  set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
  list: { type: 'array', items: text },
  num: { type: 'integer' },
  inner: { type: 'object', properties: { a: text, b: text, deep: texts } },
  items: byName({ sub: byName({}) }),
};
const SHAPE = customShape(
  {
    spec: { versions: [{ name: 'v1', schema: { openAPIV3Schema: { type: 'object', properties } } }] },
  } as unknown as StoredObject,
  'v1',
);

test.each(SEQUENCES.map((steps, index) => [index, steps] as const))('sequence %i', (_index, steps) => {
  let live: unknown = {};
  let owners: ReadonlyMap<string, Owner> = new Map();
  for (const { op, manager, force, object, answer } of steps) {
    const name = { manager, operation: 'Apply', apiVersion: 'v1', subresource: '' } as const;
    if (op === 'update') {
      const next = new Map(owners);
      ownUpdate(next, name, compareStates(SHAPE, live, object, []), '');
      owners = next;
      live = object;
    } else {
      const next = applyConfiguration({
        shape: SHAPE,
        live,
        config: object,
        owners,
        name,
        force,
        time: '',
        untouched: [],
      });
      if ('conflicts' in next) {
        expect(answer).toEqual({ conflict: true });
        continue;
      }
      owners = next.owners;
      live = withoutNulls(next.object);
    }
    const owned = [...owners.values()].map((owner) => [owner.manager, toFieldsV1(owner.set)]);
    expect({ live, owners: Object.fromEntries(owned) }).toEqual(answer);
  }
});

/** Drops nulls, as Go's types do between two steps. */
function withoutNulls(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_key, inner: unknown) => (inner === null ? undefined : inner)));
}

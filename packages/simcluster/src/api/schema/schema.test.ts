import { expect, test } from 'vitest';
import { RESOURCE_ROWS } from '../discovery/resource-table.ts';
import { checkDecoding } from './decode-check.ts';
import { duplicateFields } from './duplicate-fields.ts';
import { findType, groupName } from './find-type.ts';
import { SchemaCollector } from './openapi-schema.ts';
import type { StructShape } from './shape.ts';
import { typedError } from './typed-check.ts';

function type(name: string): StructShape {
  const shape = findType(name);
  if (shape === undefined) throw new Error(name);
  return shape;
}

test('every served kind has a type, and every row is readable to its end', () => {
  const collector = new SchemaCollector('#/definitions/');
  for (const [groupVersion, , , kind] of RESOURCE_ROWS) {
    const [group = '', version = ''] = groupVersion.split('/');
    collector.add(type(`${groupName(group, version)}.${kind}`));
  }
  expect(collector.schemas.size).toBeGreaterThan(350);
  const references = JSON.stringify([...collector.schemas.values()]).matchAll(/"#\/definitions\/([^"]+)"/g);
  for (const [, name = ''] of references) expect(collector.schemas.has(name)).toBe(true);
});

test('the types of the fields that owners and patches turn on', () => {
  const spec = type('core.PodSpec').fields;
  expect(spec.get('containers')?.shape).toMatchObject({ relation: 'map', keys: ['name'] });
  expect(type('core.Container').fields.get('ports')).toMatchObject({
    shape: { relation: 'map', keys: ['containerPort', 'protocol'] },
    patch: { merge: true, key: 'containerPort' },
  });
  expect(type('core.ContainerPort').fields.get('protocol')?.defaultText).toBe('TCP');
  expect(spec.get('tolerations')?.shape).toMatchObject({ relation: 'atomic' });
  expect(type('meta.ObjectMeta').fields.get('finalizers')?.shape).toMatchObject({ relation: 'set' });
  // In JSON, the fields of a struct that Go embeds are among the other fields.
  expect(type('core.Volume').fields.has('configMap')).toBe(true);
});

test('unknown fields are named by their paths, and a wrong type in the words of Go', () => {
  const pod = (container: object) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    spec: {
      containers: [container],
      volumes: [{ name: 'v', ephemeral: { volumeClaimTemplate: { kind: 'X' } } }],
    },
  });
  expect(checkDecoding(type('core.Pod'), pod({ name: 'c', imag: 'x' }))).toMatchObject({
    unknown: ['spec.containers[0].imag', 'spec.volumes[0].ephemeral.volumeClaimTemplate.kind'],
    mismatch: undefined,
    pruned: { spec: { containers: [{ name: 'c' }] } },
  });
  const env = pod({ name: 'c', env: [{ name: 'A', value: 1 }] });
  expect(checkDecoding(type('core.Pod'), env).mismatch).toBe(
    'json: cannot unmarshal number into Go struct field EnvVar.spec.containers.env.value of type string',
  );
});

test('fields that stand twice in a text are found, whatever their values hold', () => {
  const text = '{"a": {"b": [1, {"c": "}\\"", "d": 2, "c": 3}]}, "e": null, "a": "x"}';
  expect(duplicateFields(text)).toEqual(['a.b[1].c', 'a']);
  expect(duplicateFields('[]')).toEqual([]);
});

test('a configuration that does not fit its type says where', () => {
  const deployment = type('apps.Deployment');
  expect(typedError(deployment, { kind: 'Deployment', spec: { replicas: 1, foo: 1 } })).toBe(
    '.spec.foo: field not declared in schema',
  );
  expect(typedError(deployment, { spec: { replicas: 'x' } })).toBe(
    '.spec.replicas: expected numeric (int or float), got string',
  );
  const twice = { spec: { template: { spec: { containers: [{ name: 'a' }, { name: 'a' }] } } } };
  expect(typedError(deployment, twice)).toBe(
    '.spec.template.spec.containers: duplicate entries for key [name="a"]',
  );
});

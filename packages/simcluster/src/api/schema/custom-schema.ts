import type { StoredObject } from '../../store/store.ts';
import { array, at, fields, text } from '../table/read.ts';
import { findType } from './find-type.ts';
import { ANY, type Field, type Shape } from './shape.ts';

const read = new WeakMap<StoredObject, Map<string, Shape>>();

/**
 * Returns the shape that a version's openAPIV3Schema defines for a custom resource. Caches it, because stored
 * definitions never change.
 */
export function customShape(definition: StoredObject, version: string): Shape {
  let versions = read.get(definition);
  if (versions === undefined) {
    versions = new Map();
    read.set(definition, versions);
  }
  const known = versions.get(version);
  if (known !== undefined) return known;
  const shape = rootShape(openApiSchema(definition, version));
  versions.set(version, shape);
  return shape;
}

/** Returns a version's schema from its definition; undefined if it has none. */
export function openApiSchema(definition: StoredObject, version: string): unknown {
  const found = array(at(definition.spec, 'versions')).find((one) => text(one.name) === version);
  return at(found, 'schema', 'openAPIV3Schema');
}

/** Adds the three fields that every object has, even if its schema does not declare them. */
function rootShape(schema: unknown): Shape {
  if (schema === undefined) return ANY;
  const shape = shapeOf(schema);
  if (shape.kind !== 'struct') return shape;
  const string: Shape = { kind: 'scalar', scalar: 'string' };
  const metadata = findType('meta.ObjectMeta') ?? ANY;
  const named = new Map(shape.fields);
  named.set('apiVersion', plainField('apiVersion', string));
  named.set('kind', plainField('kind', string));
  named.set('metadata', plainField('metadata', metadata));
  return { ...shape, fields: named };
}

function plainField(name: string, shape: Shape): Field {
  return { name, number: 0, shape, pointer: true, always: false };
}

function shapeOf(schema: unknown): Shape {
  if (at(schema, 'x-kubernetes-int-or-string') === true) return { kind: 'scalar', scalar: 'int-or-string' };
  const open = at(schema, 'x-kubernetes-preserve-unknown-fields') === true;
  switch (text(at(schema, 'type'))) {
    case 'object':
      return objectShape(schema, open);
    case 'array': {
      const relation = text(at(schema, 'x-kubernetes-list-type'));
      const keys = at(schema, 'x-kubernetes-list-map-keys');
      return {
        kind: 'list',
        relation: relation === 'set' || relation === 'map' ? relation : 'atomic',
        keys: Array.isArray(keys) ? keys.map(String) : [],
        items: shapeOf(at(schema, 'items')),
      };
    }
    case 'integer':
      return { kind: 'scalar', scalar: 'integer' };
    case 'number':
      return { kind: 'scalar', scalar: 'number' };
    case 'boolean':
      return { kind: 'scalar', scalar: 'boolean' };
    case 'string':
      return { kind: 'scalar', scalar: 'string' };
    default:
      return ANY;
  }
}

function objectShape(schema: unknown, open: boolean): Shape {
  const atomic = text(at(schema, 'x-kubernetes-map-type')) === 'atomic';
  const properties = Object.entries(fields(at(schema, 'properties')));
  const additional = at(schema, 'additionalProperties');
  if (properties.length === 0) {
    if (additional !== undefined && additional !== false) {
      return { kind: 'map', atomic, values: additional === true ? ANY : shapeOf(additional) };
    }
    if (open || at(schema, 'x-kubernetes-embedded-resource') === true) return ANY;
  }
  return {
    kind: 'struct',
    name: '',
    atomic,
    fields: new Map(properties.map(([name, one]) => [name, propertyField(name, one)])),
    numbered: new Map(),
    ...(open ? { others: ANY } : {}),
  };
}

function propertyField(name: string, schema: unknown): Field {
  const value = at(schema, 'default');
  const field = plainField(name, shapeOf(schema));
  return typeof value === 'string' ? { ...field, defaultText: value } : field;
}

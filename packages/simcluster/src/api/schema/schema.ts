import type { Store, StoredObject } from '../../store/store.ts';
import type { ApiResource } from '../discovery/resources.ts';
import { customShape } from './custom-schema.ts';
import { findType, groupName } from './find-type.ts';
import { ANY, type Shape } from './shape.ts';

const DEFINITIONS = 'customresourcedefinitions.apiextensions.k8s.io';

/** Returns the shape of a resource's objects: from the tables, or from its CustomResourceDefinition. */
export function schemaOf(store: Store, type: ApiResource): Shape {
  if (!type.custom) return findType(`${groupName(type.group, type.version)}.${type.kind}`) ?? ANY;
  const definition = definitionOf(store, type);
  return definition === undefined ? ANY : customShape(definition, type.version);
}

/** Returns the CustomResourceDefinition of a custom resource. */
export function definitionOf(store: Store, type: ApiResource): StoredObject | undefined {
  return store.get(DEFINITIONS, undefined, `${type.plural}.${type.group}`);
}

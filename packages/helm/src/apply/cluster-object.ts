import type { Value, ValueMap } from '../value/value.ts';

/** An object as the manifest defines it, before it reaches the cluster. */
export interface ClusterObject {
  readonly apiVersion: string;
  readonly kind: string;
  /** '' if the cluster generates a name from metadata.generateName. */
  readonly name: string;
  /** As written; undefined means the namespace of the release. */
  readonly namespace: string | undefined;
  readonly content: ValueMap;
}

/** Returns e.g. `Deployment "web" in namespace "shop"`, for messages. */
export function objectText(
  object: { readonly kind: string; readonly name: string },
  namespace?: string,
): string {
  const where = namespace === undefined ? '' : ` in namespace "${namespace}"`;
  return `${object.kind} "${object.name}"${where}`;
}

/** Returns the metadata of an object, created if missing. */
export function metadataOf(content: ValueMap): ValueMap {
  return mapAt(content, 'metadata');
}

/** Returns a map inside a map, created if it is absent or something else. */
export function mapAt(map: ValueMap, key: string): ValueMap {
  const held = map.get(key);
  if (held instanceof Map) return held;
  const made: ValueMap = new Map();
  map.set(key, made);
  return made;
}

/** Returns the text at a key, '' for anything else. */
export function textAt(map: ValueMap, key: string): string {
  const held: Value | undefined = map.get(key);
  return typeof held === 'string' ? held : '';
}

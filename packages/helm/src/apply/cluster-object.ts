import type { Value, ValueMap } from '../value/value.ts';

/** An object as a manifest has it, before the cluster has seen it. */
export interface ClusterObject {
  readonly apiVersion: string;
  readonly kind: string;
  /** '' where metadata.generateName has the cluster find one. */
  readonly name: string;
  /** As written; undefined: the release's. */
  readonly namespace: string | undefined;
  readonly content: ValueMap;
}

/** `Deployment "web" in namespace "shop"`, for messages. */
export function objectText(
  object: { readonly kind: string; readonly name: string },
  namespace?: string,
): string {
  const where = namespace === undefined ? '' : ` in namespace "${namespace}"`;
  return `${object.kind} "${object.name}"${where}`;
}

/** The metadata of an object, made if it has none. */
export function metadataOf(content: ValueMap): ValueMap {
  return mapAt(content, 'metadata');
}

/** A map inside a map, created if it is absent or something else. */
export function mapAt(map: ValueMap, key: string): ValueMap {
  const held = map.get(key);
  if (held instanceof Map) return held;
  const made: ValueMap = new Map();
  map.set(key, made);
  return made;
}

/** The text at a key, '' for anything else. */
export function textAt(map: ValueMap, key: string): string {
  const held: Value | undefined = map.get(key);
  return typeof held === 'string' ? held : '';
}

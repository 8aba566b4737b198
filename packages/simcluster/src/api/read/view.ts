import type { StoredObject } from '../../store/store.ts';
import { toEventsV1 } from '../discovery/event-groups.ts';
import { type ApiResource, apiVersionOf } from '../discovery/resources.ts';

/** Returns an object in the form of this group and version, with kind and apiVersion first, as Go writes them. */
export function shown(type: ApiResource, object: StoredObject): Record<string, unknown> {
  const { kind: _kind, apiVersion: _version, ...rest } = object;
  const body = type.plural === 'events' && type.group === 'events.k8s.io' ? toEventsV1(rest) : rest;
  const head = { kind: type.kind, apiVersion: apiVersionOf(type) };
  return type.custom ? { apiVersion: head.apiVersion, kind: head.kind, ...body } : { ...head, ...body };
}

/**
 * Returns an object as an item of a list: built-in types omit kind and apiVersion there, custom resources include them.
 */
export function shownInList(type: ApiResource, object: StoredObject): Record<string, unknown> {
  const whole = shown(type, object);
  if (type.custom) return whole;
  const { kind: _kind, apiVersion: _version, ...rest } = whole;
  return rest;
}

export function metadataOnly(object: StoredObject): Record<string, unknown> {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata };
}

export function listMetadata(
  resourceVersion: number | string,
  next?: { readonly token: string; readonly remaining?: number },
) {
  return {
    resourceVersion: String(resourceVersion),
    ...(next === undefined ? {} : { continue: next.token }),
    ...(next?.remaining === undefined ? {} : { remainingItemCount: next.remaining }),
  };
}

import type { KubeObject } from '../client.ts';
import { KubeError, type RequestSubject } from '../errors.ts';
import { asRecord } from '../values/as-record.ts';

/** Media types for the three forms in which the client requests objects. */
export const JSON_ACCEPT = 'application/json';
/** Full objects are the fallback for aggregated API servers that support no other form. */
export const METADATA_ACCEPT =
  'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json';
export const METADATA_LIST_ACCEPT =
  'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';

/**
 * Checks that a value has the fields that every caller relies on (KubeObject). Leaves the rest unchecked; the caller
 * must distrust it. Replaces an absent uid or resourceVersion (some aggregated API servers have none) with ''.
 */
export function asKubeObject<T extends KubeObject>(value: unknown, request: RequestSubject): T {
  const object = asRecord(value);
  const metadata = asRecord(object?.metadata);
  if (object === undefined || metadata === undefined || typeof metadata.name !== 'string') {
    throw new KubeError({ kind: 'protocol', problem: { code: 'name-missing', data: {} }, request });
  }
  metadata.uid ??= '';
  metadata.resourceVersion ??= '';
  for (const field of ['uid', 'resourceVersion', 'namespace', 'creationTimestamp', 'deletionTimestamp']) {
    // A Go server writes an unset time as null.
    if (metadata[field] === null) delete metadata[field];
    else if (metadata[field] !== undefined && typeof metadata[field] !== 'string')
      throw malformed(field, request);
  }
  for (const field of ['labels', 'annotations']) checkTexts(metadata, field, request);
  checkOwners(metadata, request);
  return object as unknown as T;
}

function checkTexts(metadata: Record<string, unknown>, field: string, request: RequestSubject): void {
  if (metadata[field] === undefined) return;
  if (metadata[field] === null) {
    delete metadata[field];
    return;
  }
  const map = asRecord(metadata[field]);
  if (map === undefined || Object.values(map).some((text) => typeof text !== 'string')) {
    throw malformed(field, request);
  }
}

function checkOwners(metadata: Record<string, unknown>, request: RequestSubject): void {
  const owners = metadata.ownerReferences;
  if (owners === undefined) return;
  if (owners === null) {
    delete metadata.ownerReferences;
    return;
  }
  const sound =
    Array.isArray(owners) &&
    owners.every((owner: unknown) => {
      const { apiVersion, kind, name, uid } = asRecord(owner) ?? {};
      return [apiVersion, kind, name, uid].every((text) => typeof text === 'string');
    });
  if (!sound) throw malformed('ownerReferences', request);
}

function malformed(field: string, request: RequestSubject): KubeError {
  return new KubeError({ kind: 'protocol', problem: { code: 'bad-metadata', data: { field } }, request });
}

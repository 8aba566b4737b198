import { compareStates, ownUpdate } from '../api/fields/change-owners.ts';
import { readOwners, writeOwners } from '../api/fields/managed.ts';
import { findType, groupName } from '../api/schema/find-type.ts';
import type { StoredObject } from '../store/store.ts';

/** A controller writes objects through their status, including its own annotations. */
const NAME = { operation: 'Update', subresource: 'status' } as const;

/**
 * Returns the metadata of `after` with the controller manager as the owner of its changes. Adds no owner if ownership
 * is not tracked, as for the scenario's objects.
 */
export function ownedByController(
  before: StoredObject,
  after: StoredObject,
  time: string,
  manager = 'kube-controller-manager',
): StoredObject['metadata'] {
  const { managedFields } = before.metadata;
  const [group, version] = before.apiVersion.includes('/')
    ? (before.apiVersion.split('/') as [string, string])
    : ['', before.apiVersion];
  const shape = findType(`${groupName(group, version)}.${before.kind}`);
  if (managedFields === undefined || shape === undefined) return after.metadata;
  const owners = readOwners(managedFields);
  if (owners === undefined) return after.metadata;
  const countsOf = ({ metadata, status }: StoredObject) => ({
    metadata: { annotations: metadata.annotations },
    status: status ?? {},
  });
  const changes = compareStates(shape, countsOf(before), countsOf(after), []);
  ownUpdate(owners, { ...NAME, manager, apiVersion: before.apiVersion }, changes, time);
  return { ...after.metadata, managedFields: [...(writeOwners(owners.values()) ?? [])] };
}

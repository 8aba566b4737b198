import { type FieldSet, fromFieldsV1, isEmpty, toFieldsV1 } from './field-set.ts';

/** The owner of fields, and since when: one entry of managedFields. */
export interface Owner {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string;
  /** RFC 3339, whole seconds. */
  readonly time: string | undefined;
  readonly set: FieldSet;
}

export type OwnerName = Pick<Owner, 'manager' | 'operation' | 'apiVersion' | 'subresource'>;

/** Returns the id of an entry; entries with the same id are one. An applier keeps its entry across API versions. */
export function ownerId({ manager, operation, apiVersion, subresource }: OwnerName): string {
  return JSON.stringify([manager, operation, operation === 'Apply' ? '' : apiVersion, subresource]);
}

/** Returns the owners by id; undefined if no server could have written the list. */
export function readOwners(managedFields: unknown): Map<string, Owner> | undefined {
  const owners = new Map<string, Owner>();
  if (managedFields === undefined || managedFields === null) return owners;
  if (!Array.isArray(managedFields)) return undefined;
  for (const entry of managedFields as readonly Readonly<Record<string, unknown>>[]) {
    const owner = readOwner(entry);
    if (owner === undefined) return undefined;
    owners.set(ownerId(owner), owner);
  }
  return owners;
}

function readOwner(entry: Readonly<Record<string, unknown>>): Owner | undefined {
  const { manager = '', operation, apiVersion, fieldsType, fieldsV1 = {}, time, subresource = '' } = entry;
  if ((operation !== 'Apply' && operation !== 'Update') || fieldsType !== 'FieldsV1') return undefined;
  if (typeof apiVersion !== 'string' || apiVersion === '') return undefined;
  const set = readSet(fieldsV1);
  if (set === undefined) return undefined;
  return {
    manager: String(manager),
    operation,
    apiVersion,
    subresource: String(subresource),
    time: typeof time === 'string' ? time : undefined,
    set,
  };
}

function readSet(fieldsV1: Parameters<typeof fromFieldsV1>[0]): FieldSet | undefined {
  try {
    return fromFieldsV1(fieldsV1);
  } catch (error) {
    if (error instanceof TypeError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Returns the owners as metadata.managedFields; undefined if there are none. */
export function writeOwners(owners: Iterable<Owner>): readonly Record<string, unknown>[] | undefined {
  const sorted = [...owners].filter(({ set }) => !isEmpty(set)).sort(compareOwners);
  if (sorted.length === 0) return undefined;
  return sorted.map(({ manager, operation, apiVersion, time, set, subresource }) => ({
    manager,
    operation,
    apiVersion,
    ...(time === undefined ? {} : { time }),
    fieldsType: 'FieldsV1',
    fieldsV1: toFieldsV1(set),
    ...(subresource === '' ? {} : { subresource }),
  }));
}

/** Sorts appliers first, then by time, manager, version and subresource. */
function compareOwners(a: Owner, b: Owner): number {
  const seconds = ({ time }: Owner) => (time === undefined ? 0 : Date.parse(time));
  return (
    compareText(a.operation, b.operation) ||
    seconds(a) - seconds(b) ||
    compareText(a.manager, b.manager) ||
    compareText(a.apiVersion, b.apiVersion) ||
    compareText(a.subresource, b.subresource)
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether a client clears all ownership, by writing an empty list or one empty entry. */
export function isReset(managedFields: unknown): boolean {
  if (!Array.isArray(managedFields)) return false;
  const [first] = managedFields as readonly unknown[];
  return (
    managedFields.length === 0 ||
    (managedFields.length === 1 &&
      typeof first === 'object' &&
      first !== null &&
      Object.keys(first).length === 0)
  );
}

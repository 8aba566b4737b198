/* The managers that own the fields of an object: https://kubernetes.io/docs/reference/using-api/server-side-apply/ */

/** The field manager of Helm, and so of logtool. */
export const FIELD_MANAGER = 'helm';

type Fields = { readonly [field: string]: Fields };

/** An entry of metadata.managedFields. */
export interface ManagedFields {
  readonly manager?: string;
  readonly operation?: string;
  readonly apiVersion?: string;
  readonly subresource?: string;
  readonly time?: string;
  readonly fieldsType?: string;
  readonly fieldsV1?: Fields;
}

/**
 * Turns Helm 3's fields (operation Update) into fields that server-side apply owns, so that the cluster removes a field
 * that a chart no longer sets and the manager does not conflict with itself. Returns undefined if nothing has to
 * change. The rule is client-go's csaupgrade.
 */
export function migrateManagedFields(
  entries: readonly ManagedFields[],
): readonly ManagedFields[] | undefined {
  const isOurs = ({ manager, subresource }: ManagedFields) => manager === FIELD_MANAGER && !subresource;
  const updates = entries.filter((entry) => isOurs(entry) && entry.operation === 'Update');
  const [latest, ...older] = updates.toSorted((a, b) => (b.time ?? '').localeCompare(a.time ?? ''));
  if (latest === undefined) return undefined;
  const applied = entries.find((entry) => isOurs(entry) && entry.operation === 'Apply');
  const sources = applied === undefined ? [latest, ...older] : [applied, latest, ...older];
  const joined: ManagedFields = {
    ...(applied ?? latest),
    operation: 'Apply',
    fieldsV1: sources.map(({ fieldsV1 = {} }) => fieldsV1).reduce(union),
  };
  const rest = entries.filter((entry) => !sources.includes(entry));
  return [...rest, joined];
}

function union(a: Fields, b: Fields): Fields {
  const joined = new Map<string, Fields>(Object.entries(a));
  for (const [key, fields] of Object.entries(b)) {
    const held = joined.get(key);
    joined.set(key, held === undefined ? fields : union(held, fields));
  }
  return Object.fromEntries(joined);
}

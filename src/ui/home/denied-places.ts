import type { WireError } from '../../contract/error.ts';
import { WORKLOAD_KINDS } from '../../contract/workload-kinds.ts';
import type { Denial } from './workload-store.ts';

/** What may not be read in one namespace (undefined: in the cluster). */
export interface DeniedPlace {
  readonly namespace: string | undefined;
  readonly errors: readonly WireError[];
  /** Everything, some kinds of rows, or only what happened to them last. */
  readonly hides: 'all' | 'some' | 'events';
}

/** The denials by namespace, in the order in which they came. */
export function placesOf(denied: readonly Denial[]): readonly DeniedPlace[] {
  const errors = new Map<string | undefined, WireError[]>();
  for (const { namespace, error } of denied) {
    const of = errors.get(namespace);
    if (of === undefined) errors.set(namespace, [error]);
    else of.push(error);
  }
  return [...errors].map(([namespace, of]) => ({ namespace, errors: of, hides: hiddenBy(of) }));
}

function hiddenBy(errors: readonly WireError[]): DeniedPlace['hides'] {
  const kinds = new Set(errors.map(({ denied }) => denied?.resource.split('.')[0]));
  if (kinds.size === 1 && kinds.has('events')) return 'events';
  return WORKLOAD_KINDS.every((kind) => kinds.has(kind)) ? 'all' : 'some';
}

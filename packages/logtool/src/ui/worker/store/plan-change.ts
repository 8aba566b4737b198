import type { ViewPlan } from '../protocol/protocol.ts';
import type { HeldLog } from './held-log.ts';

/** Whether both read the same range of a cluster, from the same kinds of files. */
export function isSameRange(a: ViewPlan, b: ViewPlan): boolean {
  const text = ({ context, from, to, readsRotated }: ViewPlan) =>
    JSON.stringify([context, from?.kind, from?.at, to?.kind, to?.at, readsRotated === true]);
  return text(a) === text(b);
}

/**
 * Whether the loaded lines continue in the other plan: both have the same range, at least one common source, and read the
 * same kinds of files.
 */
export function isSameView(a: ViewPlan, b: ViewPlan): boolean {
  return isSameRange(a, b) && b.sources.some((source) => a.sources.includes(source));
}

/** Returns the added and removed sources. */
export function changedSources(
  before: ViewPlan,
  after: ViewPlan,
): { readonly added: readonly string[]; readonly removed: readonly string[] } {
  return {
    added: after.sources.filter((source) => !before.sources.includes(source)),
    removed: before.sources.filter((source) => !after.sources.includes(source)),
  };
}

/** Removes the lines, markers and problems of containers that no wanted argument selects. */
export function withoutSources(log: HeldLog, wanted: readonly string[]): void {
  const { store, problems } = log;
  const isWanted = store.sources.all.map(({ wire }) => wire.arguments.some((each) => wanted.includes(each)));
  for (const [key, { source }] of problems) {
    // The failed argument is unknown: those that still fail are reported again.
    if (source === undefined ? key.startsWith('notice ') : isWanted[source] === false) problems.delete(key);
  }
  if (!isWanted.includes(false)) return;
  store.remove((id) => {
    if (store.missing.has(id)) return false;
    const marker = store.markers.get(id);
    const source = marker === undefined ? store.table.source(id) : marker.source;
    return source !== undefined && isWanted[source] === false;
  });
  store.reclaim();
  log.leaveOut(store.sources.all.filter(({ index }) => isWanted[index] === false));
}

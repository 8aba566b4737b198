import type { HeldLog } from './held-log.ts';
import type { ViewPlan } from './protocol.ts';

/** Whether what is held serves the other plan too: context and range are the same. */
export function isSameRange(a: ViewPlan, b: ViewPlan): boolean {
  const text = ({ context, from, to }: ViewPlan) =>
    JSON.stringify([context, from?.kind, from?.at, to?.kind, to?.at]);
  return text(a) === text(b);
}

/** Sources that came and that went. */
export function changedSources(
  before: ViewPlan,
  after: ViewPlan,
): { readonly added: readonly string[]; readonly removed: readonly string[] } {
  return {
    added: after.sources.filter((source) => !before.sources.includes(source)),
    removed: before.sources.filter((source) => !after.sources.includes(source)),
  };
}

/** Takes out lines, markers and problems of containers that no wanted argument asks for. */
export function withoutSources({ store, problems }: HeldLog, wanted: readonly string[]): void {
  const isWanted = store.sources.all.map(({ wire }) => wire.arguments.some((each) => wanted.includes(each)));
  for (const [key, { source }] of problems) {
    // Which argument failed is not known: those that still do are told of again.
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
  store.sources.version++;
}

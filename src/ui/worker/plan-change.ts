import type { LineStore } from './line-store.ts';
import type { ViewPlan } from './protocol.ts';

/** Whether what is held serves the other plan too: context and range are the same. */
export function isSameRange(a: ViewPlan, b: ViewPlan): boolean {
  const text = ({ context, from, to }: ViewPlan) =>
    JSON.stringify([context, from?.kind, from?.at, to?.kind, to?.at]);
  return text(a) === text(b);
}

/** Takes out lines and markers of containers that no wanted argument asks for. */
export function withoutSources(store: LineStore, wanted: readonly string[]): void {
  const isWanted = store.sources.all.map(({ wire }) => wire.arguments.some((each) => wanted.includes(each)));
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

import type { SourceSpec } from '../domain/source-syntax.ts';

/** Source arguments that differ in their container only: one look at the cluster answers them all. */
export interface SourceGroup {
  /** Place among the groups: the order of the arguments. */
  readonly index: number;
  /** At least one. All have the same namespace, kind and name. */
  readonly specs: readonly [SourceSpec, ...SourceSpec[]];
}

export function groupSources(specs: readonly SourceSpec[]): readonly SourceGroup[] {
  const groups = new Map<string, [SourceSpec, ...SourceSpec[]]>();
  for (const spec of specs) {
    const { word = '', version = '', group = '-' } = spec.kind ?? {};
    const key = [spec.namespace?.text ?? '', word, version, group, spec.name.text].join('\n');
    const same = groups.get(key);
    if (same === undefined) groups.set(key, [spec]);
    else if (!same.some((other) => other.container?.text === spec.container?.text)) same.push(spec);
  }
  return [...groups.values()].map((members, index) => ({ index, specs: members }));
}

import type { SourceSpec } from '../../domain/source-syntax.ts';

/** Source arguments that differ only in their container, so one request answers them all. */
export interface SourceGroup {
  /** Position among the groups, in the order of the arguments. */
  readonly index: number;
  /** At least one. All have the same namespace, kind and name. */
  readonly specs: readonly [SourceSpec, ...SourceSpec[]];
  /** For each of `specs`, all equivalent arguments as typed. */
  readonly given: readonly (readonly string[])[];
}

export function groupSources(specs: readonly SourceSpec[]): readonly SourceGroup[] {
  const groups = new Map<string, { specs: [SourceSpec, ...SourceSpec[]]; given: string[][] }>();
  for (const spec of specs) {
    const { name = '', version = '', group = '-' } = spec.kind ?? {};
    const key = [spec.namespace?.text ?? '', name, version, group, spec.name.text].join('\n');
    const same = groups.get(key);
    if (same === undefined) {
      groups.set(key, { specs: [spec], given: [[spec.argument]] });
      continue;
    }
    const position = same.specs.findIndex((other) => other.container?.text === spec.container?.text);
    if (position !== -1) same.given[position]?.push(spec.argument);
    else {
      same.specs.push(spec);
      same.given.push([spec.argument]);
    }
  }
  return [...groups.values()].map((members, index) => ({ index, ...members }));
}

import type { Flag } from './flag.ts';

const SIZES = [
  [2 ** 40, 'TiB'],
  [2 ** 30, 'GiB'],
  [2 ** 20, 'MiB'],
  [2 ** 10, 'KiB'],
] as const;
const TIMES = [
  [3_600_000, 'h'],
  [60_000, 'm'],
  [1_000, 's'],
] as const;

/**
 * Returns the default of a flag as a user would write it, `1GiB`, `5m`, `timestamp,dot`; undefined if it has
 * none.
 */
export function defaultText({ value, default: standard }: Flag): string | undefined {
  if (standard === undefined) return undefined;
  if (typeof standard === 'object') return standard.join(',');
  if (typeof standard !== 'number') return String(standard);
  if (value.kind === 'bytes') return inUnits(standard, SIZES);
  return value.kind === 'duration' ? inUnits(standard, TIMES, 'ms') : String(standard);
}

/** Formats an amount in the largest unit that needs no fraction. */
function inUnits(amount: number, units: readonly (readonly [number, string])[], smallest = ''): string {
  const [size, name] = units.find(([each]) => amount > 0 && amount % each === 0) ?? [1, smallest];
  return `${amount / size}${name}`;
}

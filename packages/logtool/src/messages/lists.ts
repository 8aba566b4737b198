import type { NameList } from '@logtool/kube/src/values/failures.ts';

/** Returns `a, b and 97 more`. */
export function listText({ names, more }: NameList): string {
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Returns the same text for a complete list of names, of which it shows the first `max`. */
export function namesText(names: readonly string[], max: number): string {
  return listText({ names: names.slice(0, max), more: Math.max(0, names.length - max) });
}

/** Returns `a, b and c`. */
export function andText(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

/** Returns `did you mean a or b?`; undefined for an empty list. */
export function meantText(near: readonly string[]): string | undefined {
  return near.length === 0 ? undefined : `did you mean ${near.join(' or ')}?`;
}

/** Returns `1 pod`, `3 pods`. */
export function countText(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

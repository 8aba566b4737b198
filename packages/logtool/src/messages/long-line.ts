import type { LongLine } from '../domain/notice.ts';

/** Returns the notice about a line that exceeds a pattern's limit. */
export function longLineText({ container: { pod, container }, at, bytes, limitBytes }: LongLine): string {
  return `the line at ${at} in ${pod}/${container} has ${countText(bytes)} bytes; patterns of this size match only in the first ${countText(limitBytes)} bytes of a line, here and in other long lines`;
}

function countText(count: number): string {
  return count.toLocaleString('en');
}

import type { LongLine } from '../domain/notice.ts';

/** What a pattern does with a line that is too long for it. */
export function longLineText({ container: { pod, container }, at, bytes, limitBytes }: LongLine): string {
  return `the line at ${at} in ${pod}/${container} has ${countText(bytes)} bytes; patterns of this size match only in the first ${countText(limitBytes)} bytes of a line, here and in other long lines`;
}

function countText(count: number): string {
  return count.toLocaleString('en');
}

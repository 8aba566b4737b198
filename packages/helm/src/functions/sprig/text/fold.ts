import { bytesToText, textToBytes } from '../../../value/bytes.ts';

const SPACE = 0x20;

/**
 * Breaks a text at blanks into lines of at most `width` bytes. A longer word stays whole, or is split if `cuts`. Drops
 * leading blanks of every line but the last.
 */
export function wrap(text: string, width: number, lineBreak: string, cuts: boolean): string {
  const bytes = textToBytes(text);
  const limit = Math.max(width, 1);
  const lines: string[] = [];
  let at = 0;
  const add = (end: number, next: number) => {
    lines.push(bytesToText(bytes.subarray(at, end)));
    at = next;
  };
  while (bytes.length - at > limit) {
    const blank = bytes.subarray(at, at + limit + 1).lastIndexOf(SPACE);
    if (bytes[at] === SPACE) at++;
    else if (blank !== -1) add(at + blank, at + blank + 1);
    else if (cuts) add(at + limit, at + limit);
    else {
      const next = bytes.indexOf(SPACE, at + limit);
      if (next === -1) break;
      add(next, next + 1);
    }
  }
  return [...lines, bytesToText(bytes.subarray(at))].join(lineBreak);
}

const MARK = '...';

/** Shortens a text to at most `width` bytes around `offset`, with three dots for omitted parts. */
export function abbreviated(text: string, offset: number, width: number): string {
  const bytes = textToBytes(text);
  const room = width - MARK.length;
  if (bytes.length <= width) return text;
  const from = Math.min(offset, bytes.length - room);
  if (from <= 4) return bytesToText(bytes.subarray(0, room)) + MARK;
  if (width < 7) return '';
  if (from + room >= bytes.length) return MARK + bytesToText(bytes.subarray(bytes.length - room));
  return MARK + abbreviated(bytesToText(bytes.subarray(from)), 0, room);
}

/** Bytes of a file, as an answer of status 206 has them. */
export interface ByteRange {
  readonly start: number;
  readonly length: number;
}

/** Which bytes a `Range` header asks for. `whole`: the answer ignores it. */
export type RangeChoice =
  | { readonly kind: 'whole' }
  | { readonly kind: 'ranges'; readonly ranges: readonly ByteRange[] }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'no-overlap' };

/**
 * Reads a `Range` header as Go's net/http does for a file of `size` bytes: a unit other than bytes is invalid, ranges
 * that begin after the end are left out, and ranges that are together longer than the file are the whole file.
 */
export function chooseRanges(header: string | undefined, size: number): RangeChoice {
  if (header === undefined || header === '') return { kind: 'whole' };
  if (!header.startsWith('bytes=')) return { kind: 'invalid' };
  const specs = header.slice('bytes='.length).split(',');
  const read = specs.filter((spec) => spec.trim() !== '').map((spec) => readRange(spec, size));
  if (read.includes('invalid')) return { kind: 'invalid' };
  const ranges = read.filter((range) => typeof range === 'object');
  if (ranges.length === 0 && read.length > 0 && size > 0) return { kind: 'no-overlap' };
  const total = ranges.reduce((sum, { length }) => sum + length, 0);
  return ranges.length === 0 || total > size ? { kind: 'whole' } : { kind: 'ranges', ranges };
}

function readRange(spec: string, size: number): ByteRange | 'invalid' | 'no-overlap' {
  const [, first = '', last = ''] = /^\s*(\d*)\s*-\s*(\d*)\s*$/.exec(spec) ?? [];
  if (first === '') {
    if (last === '') return 'invalid';
    const length = Math.min(Number(last), size);
    return { start: size - length, length };
  }
  const start = Number(first);
  if (start >= size) return 'no-overlap';
  if (last === '') return { start, length: size - start };
  const end = Number(last);
  return start > end ? 'invalid' : { start, length: Math.min(end, size - 1) - start + 1 };
}

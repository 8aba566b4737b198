/** A byte range of a file, for a response with status 206. */
export interface ByteRange {
  readonly start: number;
  readonly length: number;
}

/** The bytes that a `Range` header requests. `whole`: the response ignores the header. */
export type RangeChoice =
  | { readonly kind: 'whole' }
  | { readonly kind: 'ranges'; readonly ranges: readonly ByteRange[] }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'no-overlap' };

/**
 * Parses a `Range` header as Go's net/http does for a file of `size` bytes: a unit other than bytes is invalid, ranges
 * that start after the end are omitted, and ranges with a total length above the file's become the whole file.
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

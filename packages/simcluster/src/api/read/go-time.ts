import { parseTimestamp } from '@logtool/kube/src/values/timestamp.ts';

const LAYOUT = '2006-01-02T15:04:05Z07:00';
/** The parts of the layout in order, with the text that each consumes. */
const PIECES: readonly (readonly [string, RegExp])[] = [
  ['2006', /^\d{4}/],
  ['-', /^-/],
  ['01', /^\d\d/],
  ['-', /^-/],
  ['02', /^\d\d/],
  ['T', /^T/],
  ['15', /^\d{1,2}/],
  [':', /^:/],
  ['04', /^\d\d/],
  [':', /^:/],
  ['05', /^\d\d(?:[.,]\d+)?/],
  ['Z07:00', /^(?:Z|[+-]\d\d:\d\d)/],
];
const RANGES: Readonly<Record<string, readonly [string, number, number]>> = {
  '01': ['month', 1, 12],
  '02': ['day', 1, 31],
  '15': ['hour', 0, 23],
  '04': ['minute', 0, 59],
  '05': ['second', 0, 59],
};

/**
 * Parses a time as Go's time.Parse does with RFC 3339, truncated to whole seconds (ms since the epoch). Returns Go's
 * error text for an invalid one.
 */
export function parseGoTime(text: string): { readonly ms: number } | { readonly error: string } {
  const start = `parsing time ${JSON.stringify(text)}`;
  let rest = text;
  for (const [piece, pattern] of PIECES) {
    const found = pattern.exec(rest);
    if (found === null) {
      return {
        error: `${start} as "${LAYOUT}": cannot parse ${JSON.stringify(rest)} as ${JSON.stringify(piece)}`,
      };
    }
    const range = RANGES[piece];
    const value = Number.parseInt(found[0], 10);
    if (range !== undefined && (value < range[1] || value > range[2])) {
      return { error: `${start}: ${range[0]} out of range` };
    }
    rest = rest.slice(found[0].length);
  }
  if (rest !== '') return { error: `${start}: extra text: ${JSON.stringify(rest)}` };
  const padded = text.replace(/T(\d):/, 'T0$1:');
  const at = parseTimestamp(padded);
  return at === undefined ? { error: `${start}: day out of range` } : { ms: at.seconds * 1000 };
}

/** Parses an integer as Go's strconv.ParseInt(text, 10, 64) does. Returns Go's error text for an invalid one. */
export function parseGoInteger(text: string): { readonly value: number } | { readonly error: string } {
  const start = `strconv.ParseInt: parsing ${JSON.stringify(text)}`;
  if (!/^[-+]?\d+$/.test(text)) return { error: `${start}: invalid syntax` };
  const exact = BigInt(text.replace(/^\+/, ''));
  if (exact > 9223372036854775807n || exact < -9223372036854775808n) {
    return { error: `${start}: value out of range` };
  }
  return { value: Number(exact) };
}

/** The fault of a range: a code with data. `text`: the time as typed. */
export type RangeFault =
  | { readonly code: 'too-long' }
  | { readonly code: 'more-than-two' }
  | { readonly code: 'end-first' }
  | { readonly code: 'no-end' }
  | { readonly code: 'calendar' }
  | { readonly code: 'longer-than-logs' }
  | { readonly code: 'nothing' }
  | { readonly code: 'negative' }
  | { readonly code: 'no-such-time'; readonly text: string }
  | { readonly code: 'no-such-year'; readonly text: string }
  | { readonly code: 'malformed'; readonly text: string };

const MAX_SHOWN_CHARS = 40;

/** Describes the fault for the range panel. */
export function rangeFaultText(fault: RangeFault): string {
  switch (fault.code) {
    case 'too-long':
      return 'This is too long for a range.';
    case 'more-than-two':
      return 'A range has one start and one end: 13:20 to 13:45.';
    case 'end-first':
      return 'The end is before the start.';
    case 'no-end':
      return 'Choose a start or an end.';
    case 'calendar':
      return 'Months and years vary in length: use hours or days.';
    case 'longer-than-logs':
      return 'That is longer than any log.';
    case 'nothing':
      return 'Give a time longer than a second.';
    case 'negative':
      return 'Leave out the minus sign: durations count back from now.';
    case 'no-such-time':
      return `There is no ${fault.text} on a clock.`;
    case 'no-such-year':
      return `${shorten(fault.text)} is outside the years 1 to 9999.`;
    case 'malformed':
      return `"${shorten(fault.text)}" is neither a duration like 15m or 2h nor a time like 13:20 or 2026-11-21T13:20:00Z.`;
  }
}

function shorten(text: string): string {
  return text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}…` : text;
}

/** A smaller difference of clocks changes no range that a person would notice, ms. */
const OTHER_CLOCK_MS = 30_000;

/** Explains why the difference matters. */
export const OTHER_CLOCK_TITLE = 'Ranges that end now follow the server clock.';

/** Returns `your clock is 10 min ahead`; undefined: it hardly differs from the server's. `aheadMs`: negative: behind. */
export function otherClockText(aheadMs: number): string | undefined {
  const differenceMs = Math.abs(aheadMs);
  if (differenceMs < OTHER_CLOCK_MS) return undefined;
  const seconds = Math.round(differenceMs / 1_000);
  const [value, unit] =
    seconds < 120 ? [seconds, 's'] : seconds < 7_200 ? [seconds / 60, 'min'] : [seconds / 3_600, 'h'];
  return `your clock is ${Math.round(value)} ${unit} ${aheadMs > 0 ? 'ahead' : 'behind'}`;
}

import { countText } from './count.ts';

/** Texts of an explanation other than its verdicts, which use the terminal's texts. */
export const WHY_TEXTS = {
  asking: 'Reading events, statuses and logs…',
  askAgain: 'Ask again',
  openLog: 'Open the log from before the first sign',
  openRange: 'Open the log of this time',
  firstError: 'first error',
  proof: 'Events and statuses',
  also: 'Also',
  over: 'over',
} as const;

export function earlierText(count: number, noun: 'event' | 'line'): string {
  return `Show ${countText(count, `earlier ${noun}`)}`;
}

/** Shown below a list that the server has truncated. */
export function moreText(count: number): string {
  return `and ${count.toLocaleString('en')} more`;
}

import { countText } from './count.ts';

/** What the explanation of a workload says beside its verdicts, which have the words of the terminal. */
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

/** Of a list that the server has cut. */
export function moreText(count: number): string {
  return `and ${count.toLocaleString('en')} more`;
}

import type { Bound } from '../../domain/window.ts';
import type { LiveInput } from './live-merge.ts';
import type { LogSlots } from './log-slots.ts';
import type { Revival } from './revival.ts';

/** What all followers of a view share, and where each begins. */
export interface FollowerOptions extends Omit<LiveInput, 'leave'> {
  readonly previous: 'auto' | 'no' | 'only';
  readonly from: Bound | undefined;
  readonly lastLines: number | undefined;
  readonly slots: LogSlots;
  readonly revival: Revival;
}

import type { LogRecord } from '../domain/record.ts';
import type { Bound } from '../domain/window.ts';
import type { LogSlots } from './log-slots.ts';
import type { Revival } from './revival.ts';

/** What all followers of a view share, and where each begins. */
export interface FollowerOptions {
  readonly previous: 'auto' | 'no' | 'only';
  readonly from: Bound | undefined;
  readonly lastLines: number | undefined;
  readonly slots: LogSlots;
  readonly revival: Revival;
  push(records: readonly LogRecord[]): Promise<void>;
}

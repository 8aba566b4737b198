import { expect, test } from 'vitest';
import { recordsWith } from '../../../../../test/support/engine/records-with.ts';
import type { FilterPlan } from '../../domain/filter.ts';
import { compileFilter } from './compile-filter.ts';

const PLAN: FilterPlan = {
  grep: '[ab]*a[ab]{60}c',
  exclude: [],
  ignoreCase: false,
  levels: [],
  beforeContext: 0,
  afterContext: 0,
};

// Needs a separate file: turns are measured by the clock, which neighboring tests replace with one that is ahead.
test('what is canceled on the main thread ends with the turn', async () => {
  const stop = new AbortController();
  const use = { person: '', signal: stop.signal };
  const filter = await compileFilter(PLAN, use);
  const records = recordsWith(Array.from({ length: 20_000 }, () => 'ab'.repeat(1000)));
  const rejected = expect(filter.matches.prepare?.(records)).rejects.toThrow('gone');
  // Before the next turn: the amount of work per turn depends on the machine.
  stop.abort(new Error('gone'));
  await rejected;
});

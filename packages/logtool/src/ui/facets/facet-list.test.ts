import { expect, test } from 'vitest';
import { NO_STATUS } from '../console/state/console-state.ts';
import { makeZoneClock } from '../console/state/zone-time.ts';
import type { BufferStatus } from '../worker/protocol/protocol.ts';
import { facetScopeText } from './facet-list.tsx';

const WHOLE: BufferStatus = {
  ...NO_STATUS,
  loading: 'none',
  connection: { state: 'live' },
  isWhole: true,
  atBeginning: true,
  lines: 4_195,
};

test.each<[Partial<BufferStatus>, string | undefined]>([
  [{}, undefined],
  [
    { hasGaps: true, goneContainers: 1 },
    'Counts in the readable part of the logs, only loaded lines of 1 container that no longer exists',
  ],
  [{ hasGaps: true }, 'Counts in the readable part of the logs'],
])('counts have the scope of all readable lines once those are loaded: %j, %s', (lacks, text) => {
  const state = { status: { ...WHOLE, ...lacks }, isAnswered: true, problems: [] };
  expect(facetScopeText(state, { ctx: 'sim', src: ['shop:pods/*'] }, makeZoneClock('utc'))).toBe(text);
});

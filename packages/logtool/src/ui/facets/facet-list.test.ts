import { expect, test } from 'vitest';
import { wholeStatus } from '../../../../../test/support/ui/console/whole-status.ts';
import { makeZoneClock } from '../console/state/zone-time.ts';
import type { BufferStatus } from '../worker/protocol/protocol.ts';
import { facetScopeText } from './facet-list.tsx';

test.each<[Partial<BufferStatus>, string | undefined]>([
  [{}, undefined],
  [
    { hasGaps: true, goneContainers: 1 },
    'Counts in the readable part of the logs, only loaded lines of 1 container that no longer exists',
  ],
  [{ hasGaps: true }, 'Counts in the readable part of the logs'],
])('counts have the scope of all readable lines once those are loaded: %j, %s', (lacks, text) => {
  const state = { status: { ...wholeStatus(4_195), ...lacks }, isAnswered: true, problems: [] };
  expect(facetScopeText(state, { ctx: 'sim', src: ['shop:pods/*'] }, makeZoneClock('utc'))).toBe(text);
});

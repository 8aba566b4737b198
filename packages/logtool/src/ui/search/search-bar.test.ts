import { expect, test } from 'vitest';
import { wholeStatus } from '../../../../../test/support/ui/console/whole-status.ts';
import type { BufferStatus } from '../worker/protocol/protocol.ts';
import { heldHitsText } from './search-bar.tsx';

test.each<[string, Partial<BufferStatus>, string]>([
  ['everything', {}, 'in all logs'],
  ['both ends', { isWhole: false }, 'in the 2,025 loaded lines'],
  ['the newest lines', { isWhole: false, atBeginning: false }, 'in the 2,025 loaded lines'],
])('hits among loaded lines cover all logs only if nothing is left out: %s', (_, status, text) => {
  const state = { status: { ...wholeStatus(2_025), ...status }, problems: [] };
  expect(heldHitsText(state, { ctx: 'sim', src: ['shop:pods/*'] })).toBe(text);
});

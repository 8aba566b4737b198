import { expect, test } from 'vitest';
import { NO_STATUS } from '../console/state/console-state.ts';
import type { BufferStatus } from '../worker/protocol/protocol.ts';
import { heldHitsText } from './search-bar.tsx';

const WHOLE: BufferStatus = {
  ...NO_STATUS,
  loading: 'none',
  connection: { state: 'live' },
  isWhole: true,
  atBeginning: true,
  atEnd: true,
  lines: 2_025,
};

test.each<[string, Partial<BufferStatus>, string]>([
  ['everything', {}, 'in all logs'],
  ['both ends', { isWhole: false }, 'in the 2,025 loaded lines'],
  ['the newest lines', { isWhole: false, atBeginning: false }, 'in the 2,025 loaded lines'],
])('hits among loaded lines cover all logs only if nothing is left out: %s', (_, status, text) => {
  const state = { status: { ...WHOLE, ...status }, problems: [] };
  expect(heldHitsText(state, { ctx: 'sim', src: ['shop:pods/*'] })).toBe(text);
});

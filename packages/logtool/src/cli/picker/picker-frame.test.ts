import { expect, test } from 'vitest';
import type { Choice } from './choice.ts';
import { type PickerState, pickerFrame } from './picker-frame.ts';

const choice = (name: string, state = '3/3', isFailing = false): Choice => ({
  source: `deployments/${name}`,
  state,
  isFailing,
});
const all = Array.from({ length: 30 }, (_, index) => choice(`web-${index}`));

function frame(
  state: Partial<PickerState>,
  screen: { columns?: number; rows?: number; color?: boolean } = {},
) {
  const whole: PickerState = {
    typed: '',
    matching: all,
    total: all.length,
    cursor: 0,
    selected: new Set(),
    notices: [],
    isEmpty: false,
    ...state,
  };
  return pickerFrame(whole, { columns: 80, rows: 12, color: false, ...screen }).split('\n');
}

test('the choices around the cursor are shown, as many as the terminal has room for', () => {
  expect(frame({ cursor: 20, selected: new Set(['deployments/web-19', 'deployments/web-3']) })).toEqual([
    'Open logs of: █',
    '  ○ deployments/web-16  3/3',
    '  ○ deployments/web-17  3/3',
    '  ○ deployments/web-18  3/3',
    '  ● deployments/web-19  3/3',
    '> ○ deployments/web-20  3/3',
    '  ○ deployments/web-21  3/3',
    '  ○ deployments/web-22  3/3',
    '  ○ deployments/web-23  3/3',
    '  30, 2 selected · type to filter · Tab selects · Enter opens · Esc quits',
  ]);
});

test('the last choice is the last line of the list', () => {
  const lines = frame({ cursor: 29 });
  expect(lines.at(-2)).toBe('> ○ deployments/web-29  3/3');
  expect(lines).toHaveLength(10);
});

test('no line is as wide as the terminal', () => {
  const lines = frame(
    { matching: [choice('x'.repeat(100))], typed: 'y'.repeat(100), notices: ['z'.repeat(100)] },
    { columns: 40 },
  );
  expect(lines.map(({ length }) => length)).toEqual([39, 39, 39, 39]);
});

test('escapes text from a cluster or a user', () => {
  const [first, second] = frame({ typed: '\x1b[2J', matching: [choice('a\x1b]0;b', '1/1\x07')] });
  expect([first, second]).toEqual(['Open logs of: ^[[2J█', '> ○ deployments/a^[]0;b  1/1\\x07']);
});

test('failing choices are red where color is wanted', () => {
  const matching = [choice('web'), choice('cart', '0/1 CrashLoopBackOff', true)];
  expect(frame({ matching }, { color: true }).slice(1, 3)).toEqual([
    '\x1b[1m> ○ deployments/web   3/3\x1b[0m',
    '\x1b[31m  ○ deployments/cart  0/1 CrashLoopBackOff\x1b[0m',
  ]);
});

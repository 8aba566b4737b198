import { expect, test } from 'vitest';
import { growingWaits } from './measures/growing-waits.ts';
import { sourceFiles } from './measures/source-files.ts';

/** One file computes all waits between retries, from a policy. */
const RETRY = 'packages/kube/src/values/retry.ts';

const linesOf = (text: string) =>
  growingWaits('a.ts', text).map((offset) => text.slice(0, offset).split('\n').length);

test('waits that grow are found', () => {
  const text = [
    'waitMs *= 2;',
    'pause = Math.min(2 * pause, 32);',
    'backOffMs = isFirst ? 100 : Math.min(pauseMs * 2, 300);',
    'this.#silenceMs = this.#silenceMs * 1.5;',
    'later(10_000 * 2 ** (failed - 1));',
    'later(100 << attempt);',
    'later(Math.pow(2, tries));',
    'const RETRY_WAITS_MS = [300, 600];',
    'const DELAYS = [1, 2] as const;',
    'ms = Math.min(ms * 2, 5000);',
    'pauseMs += pauseMs;',
  ];
  expect(linesOf(text.join('\n'))).toEqual(text.map((_, index) => index + 1));
});

test.each([
  'await clock.sleep(gap, signal); gap = gap + gap;',
  'gap = Math.min(gap + gap, 5000); setTimeout(() => again(), gap);',
  'this.#gap += this.#gap; await this.#clock.sleep(Math.min(this.#gap, 5000));',
  'await wait(gap); gap = 3 * gap;',
])('a variable of any name is a wait where something waits for it: %s', (text) => {
  expect(growingWaits('a.ts', text)).toHaveLength(1);
});

test('other products, powers and lists are not', () => {
  const text = [
    'size *= 2;',
    'waitMs = seconds * 1000;',
    'ask = Math.min(MAX, ask * 2);',
    'const POLICY = { waitsMs: [1, 2] };',
    'const LIMIT = 2 ** 20;',
    'const WIDTHS_MS = [1, 2];',
    'const waits = [later(), later()];',
    'terms = terms + terms;',
    'items = 2 * items;',
    'waitMs = firstMs + restMs;',
    'size = size + size; setTimeout(again, 100);',
  ];
  expect(linesOf(text.join('\n'))).toEqual([]);
});

test('no other file computes a wait that grows', { timeout: 120_000 }, () => {
  const found = sourceFiles().filter(({ path, text }) => growingWaits(path, text).length > 0);
  expect(found.map(({ path }) => path)).toEqual([RETRY]);
});

import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { expect, test } from 'vitest';
import type { ContainerTarget } from '../../domain/container.ts';
import type { LogRecord } from '../../domain/record.ts';
import { Position } from '../run/position.ts';
import { ReplayWatch } from './replay-watch.ts';

const key = { podUid: 'p', container: 'c', containerId: 'id' };
const source = { key, keyText: 'p/c/id', target: {} as ContainerTarget };
const BEGUN_MS = 1_795_000_000_400;

const line = (afterMs: number, text = `at ${afterMs}`): LogRecord => ({
  source,
  at: timestampFromMs(BEGUN_MS + afterMs),
  seq: 0,
  message: Buffer.from(text),
  partial: false,
  late: false,
});

/** A stream that has given these lines. */
function after(...lines: readonly LogRecord[]) {
  const position = new Position();
  const watch = new ReplayWatch();
  watch.took(position.admit(lines), 0);
  return { position, watch };
}

const never = () => Promise.reject(new Error('nothing is asked'));

test('a line that came before is found, and what the stream skipped in front of it', async () => {
  const { position, watch } = after(line(0), line(10), line(3_000), line(3_010));
  expect(await watch.find([line(3_020), line(3_000), line(3_010)], position, never)).toBe(1);
  const skipped = { from: line(10).at, to: line(3_000).at };
  expect([watch.skippedBefore(line(3_000)), watch.skippedBefore(line(3_010))]).toEqual([skipped, undefined]);
});

test('a line that came in the same piece is found', async () => {
  const { position, watch } = after(line(0));
  expect(await watch.find([line(10), line(20), line(10)], position, never)).toBe(2);
});

test('new lines out of their order are none, nor is one that is repeated at once', async () => {
  const { position, watch } = after(line(0), line(20), line(40));
  const lines = [line(40), line(30), line(50, 'other'), line(40, 'other'), line(60), line(60)];
  expect(await watch.find(lines, position, never)).toBe(-1);
});

test.each([
  [true, 0],
  [false, -1],
])('a line too old to be known is one where the log goes on behind it: %j', async (goesOn, index) => {
  const { position, watch } = after(line(0), line(5_000), line(9_000));
  expect(await watch.find([line(0)], position, () => Promise.resolve(goesOn))).toBe(index);
});

test('what stands behind a step back of the clock is new', async () => {
  const { position, watch } = after(line(0), line(9_000), line(1_000));
  expect(await watch.find([line(500)], position, never)).toBe(-1);
});

test('the first lines of an answer are none: those that are known come again', async () => {
  const { position } = after(line(0), line(10));
  expect(await new ReplayWatch().find([line(10), line(0)], position, never)).toBe(-1);
});

import { expect, test } from 'vitest';
import { errorFromAnswer } from './status.ts';

const MEBIBYTE = 2 ** 20;

test.each([
  ['<html><head><TITLE lang="en">Sorry\n</TITLE>', 'Sorry'],
  ['<title>', '<title>'],
  ['<title<title>again', 'again'],
  ['\n  no page at all\nbut two lines', 'no page at all'],
])('of %j the error says %j', (body, message) => {
  expect(errorFromAnswer(500, body, undefined).message).toBe(message);
});

test('a page that begins a title again and again costs no more than its length', () => {
  const body = '<title'.repeat(MEBIBYTE / 6);
  expect(errorFromAnswer(500, body, undefined).message).toBe(body.slice(0, 300));
});

test.each([
  [5, 5_000],
  [3_000_000, 3_600_000],
  [1e300, 3_600_000],
])('a server that asks to wait %d s is asked again after %d ms', (retryAfterSeconds, retryAfterMs) => {
  const body = JSON.stringify({ kind: 'Status', code: 429, details: { retryAfterSeconds } });
  expect(errorFromAnswer(429, body, undefined)).toMatchObject({ retryAfterMs });
  expect(errorFromAnswer(429, '', undefined, retryAfterSeconds * 1000)).toMatchObject({ retryAfterMs });
});

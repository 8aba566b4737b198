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

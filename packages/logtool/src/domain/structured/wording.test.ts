import fc from 'fast-check';
import { expect, test } from 'vitest';
import { variantsOf, wordingOf } from './wording.ts';

test.each([
  ['numbers', 'pool grows to 60 connections', 'pool grows to # connections'],
  ['ids with digits', 'order ord_297d2db0f6 accepted', 'order # accepted'],
  ['ids of letters alone', 'session deadbeefcafe renewed', 'session # renewed'],
  ['addresses', 'handshake with 10.91.117.66:443 failed', 'handshake with # failed'],
  ['links', 'cannot reach https://tokens.shop/renew', 'cannot reach #'],
  ['paths', 'cannot open /var/lib/data: denied', 'cannot open # denied'],
  ['addresses of mail', 'mail to alice@example.com refused', 'mail to # refused'],
  ['texts in quotes', `flag "new ranking" and 'old one' are on`, 'flag # and # are on'],
  ['an apostrophe stays', "can't open the door", "can't open the door"],
  ['values of keys', 'retries are on: backoff=0 mode=fast', 'retries are on backoff=# mode=fast'],
  ['values side by side', '2026-11-22 11:00:00 listening', '# listening'],
  ['punctuation', 'queue is full: (retrying)', 'queue is full retrying'],
  ['JSON', '{"level":"warn","msg":"pool of 60","id":"a"}', 'pool of #'],
  ['JSON with another key', '{"level":30,"@mt":"pool of {Size}","Size":60}', 'pool of #'],
  ['logfmt', 'level=warn msg="lease of shard 4 lost" id=a', 'lease of shard # lost'],
  ['nothing', '', ''],
] as const)('%s', (_, line, wording) => expect(wordingOf(line)).toBe(wording));

test('wordings that differ in one word have a variant in common', () => {
  const common = (a: string, b: string) => {
    const [own, other] = [variantsOf(wordingOf(a)), new Set(variantsOf(wordingOf(b)))];
    return own.filter((variant) => other.has(variant));
  };
  expect(common('user alice signed in', 'user bob signed in')).toEqual(['user * signed in']);
  expect(common('user alice signed in', 'order alice shipped in')).toEqual([]);
  expect(variantsOf('signed in')).toEqual([]);
});

test('any text has a wording of bounded length, in which no digit is left', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (line) => {
      const wording = wordingOf(line);
      expect(wording.length).toBeLessThanOrEqual(240);
      expect(wording).not.toMatch(/\d/);
    }),
  );
});

test('a hostile line takes no longer than its length', () => {
  const begun = performance.now();
  for (const text of ["'", '"', '\\"', '{"msg":"', 'msg="', ' ', 'a=', '#/'])
    wordingOf(text.repeat(1_000_000));
  expect(performance.now() - begun).toBeLessThan(2_000);
});

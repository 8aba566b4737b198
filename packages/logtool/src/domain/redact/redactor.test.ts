import { expect, test } from 'vitest';
import { Redactor } from './redactor.ts';
import { ordinaryLines } from './testing/ordinary-lines.ts';
import { Random } from './testing/random.ts';
import { type SecretSample, secretSamples } from './testing/secret-samples.ts';

const redacted = (text: string) => new Redactor().redact(text).text;

/** Whether a text still contains any part of a secret of that length: a shorter part reveals nothing. */
function leaks(text: string, secret: string, length = 6): boolean {
  for (let at = 0; at + Math.min(length, secret.length) <= secret.length; at++)
    if (text.includes(secret.slice(at, at + length))) return true;
  return false;
}

/** Typical lines around a logged text. */
const AROUND: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => `2026-11-21T10:00:00.123Z ERROR [main] request failed: ${line}`,
  (line) => `{"level":"info","ts":1795255200.1,"msg":${JSON.stringify(line)}}`,
  (line) => `time="2026-11-21T10:00:00Z" level=warning msg=${JSON.stringify(line)} attempt=3`,
  (line) => `(${line})`,
  (line) => `I1121 10:00:00.000000       1 main.go:12] ${line} after 3ms`,
];

const KINDS = new Set(secretSamples(new Random(1)).map(({ name }) => name));

test('there are more than forty kinds of secrets', () => expect(KINDS.size).toBeGreaterThan(80));

test.each([...KINDS])('%s: none is missed, in any line', (name) => {
  for (let seed = 1; seed <= 12; seed++) {
    const sample = secretSamples(new Random(seed)).find((each) => each.name === name) as SecretSample;
    for (const around of sample.isWholeLine === true ? AROUND.slice(0, 2) : AROUND) {
      const line = around(sample.line);
      const shown = redacted(line);
      for (const secret of sample.secrets)
        expect({ line, shown, leaks: leaks(shown, secret) }).toEqual({ line, shown, leaks: false });
      expect(shown).toContain('[redacted ');
    }
  }
});

test('at most one of a thousand ordinary lines is touched', () => {
  const lines = ordinaryLines(new Random(7), 50_000);
  const touched = lines.filter((line) => redacted(line) !== line);
  expect(touched.slice(0, 60)).toEqual([]);
});

test('what is masked is named by kind, and the rest of the line stays', () => {
  const redactor = new Redactor();
  const token = `ghp_${'a1B2'.repeat(9)}`;
  expect(redactor.redact(`push with ${token} as password=hunter22 failed, retry in 3s`)).toEqual({
    text: 'push with [redacted github-token] as password=[redacted password] failed, retry in 3s',
    kinds: ['github-token', 'password'],
  });
});

test('a secret that only begins before the limit is masked as a whole', () => {
  const line = `${'x'.repeat(20)} token=${'s3cretS3cret'.repeat(4)} end`;
  expect(new Redactor().redact(line, undefined, 40).text).toBe(`${'x'.repeat(20)} token=[redacted token]`);
  expect(new Redactor().redact(line, undefined, 10).text).toBe('x'.repeat(10));
});

const KEY_LINES = Array.from({ length: 24 }, (_, index) =>
  new Random(index + 3).text('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', 64),
);
const PEM = [
  '-----BEGIN RSA PRIVATE KEY-----',
  ...KEY_LINES,
  'Zm9vYmFy1A==',
  '-----END RSA PRIVATE KEY-----',
];

test('a private key over several lines is masked while other containers write between its lines', () => {
  const redactor = new Redactor();
  const shown = PEM.flatMap((line, index) => [
    redactor.redact(line, 'a').text,
    redactor.redact(`GET /orders/${index} 200`, 'b').text,
  ]).join('\n');
  for (const line of PEM.slice(1, -1)) expect(leaks(shown, line)).toBe(false);
  expect(shown).toContain('GET /orders/7 200');
  expect(shown).toContain('-----END RSA PRIVATE KEY-----');
  expect(redactor.redact('started in 3 ms with cache AbCd1234AbCd', 'a').text).toBe(
    'started in 3 ms with cache AbCd1234AbCd',
  );
});

test('a page that begins within a private key shows nothing of the rest of it', () => {
  const redactor = new Redactor();
  const shown = PEM.slice(9)
    .map((line) => redactor.redact(line, 'a').text)
    .join('\n');
  for (const line of PEM.slice(9, -1)) expect(leaks(shown, line)).toBe(false);
});

test('the lines of a private key may each have a prefix', () => {
  const redactor = new Redactor();
  const shown = PEM.map((line) => redactor.redact(`2026-11-21 10:00:00 INFO ${line}`, 'a').text).join('\n');
  for (const line of PEM.slice(1, -1)) expect(leaks(shown, line)).toBe(false);
});

test('the end of a key that was never written ends nothing else', () => {
  const redactor = new Redactor();
  redactor.redact('-----BEGIN PRIVATE KEY-----', 'a');
  expect(redactor.redact('GET /healthz 200', 'a').text).toBe('GET /healthz 200');
  expect(redactor.redact('user=4dc1f2a9 done', 'a').text).toBe('user=4dc1f2a9 done');
});

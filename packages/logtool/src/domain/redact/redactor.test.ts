import { expect, test } from 'vitest';
import { LINES_OF_PROGRAMS } from '../../../../../test/support/redact/lines-of-programs.ts';
import { ordinaryLines } from '../../../../../test/support/redact/ordinary-lines.ts';
import { Random } from '../../../../../test/support/redact/random.ts';
import { secretSamples } from '../../../../../test/support/redact/secret-samples.ts';
import type { SecretSample } from '../../../../../test/support/redact/written-secrets.ts';
import { Redactor } from './redactor.ts';

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

test('there are more than forty kinds of secrets', () => expect(KINDS.size).toBeGreaterThan(200));

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

test('a flag at the beginning of a line names its value', () => {
  expect(redacted('--password hunter22abc --port 80')).toBe('--password [redacted password] --port 80');
});

test('a list of arguments ends behind the value of a flag', () => {
  expect(redacted('args: [--db-password, hunter2]')).toBe('args: [--db-password, [redacted password]]');
});

test.each([
  ['passphrase: correct horse battery staple', 'passphrase: [redacted password]'],
  ['Passphrase=correct horse battery staple attempt=3', 'Passphrase=[redacted password] attempt=3'],
  [
    '{"msg":"passphrase: correct horse battery staple","n":1}',
    '{"msg":"passphrase: [redacted password]","n":1}',
  ],
  ['password=correct horse battery staple', 'password=[redacted password]'],
  [
    'Server=db;User Id=sa;Password=P@ss w0rd!;Encrypt=true',
    'Server=db;User Id=sa;Password=[redacted password];Encrypt=true',
  ],
  [
    '{"dsn":"Data Source=db; Pwd = two w0rds 1; Pooling=true"}',
    '{"dsn":"Data Source=db; Pwd = [redacted password]; Pooling=true"}',
  ],
  ['seed phrase: witch collapse practice feed shame open', 'seed phrase: [redacted password]'],
])('all words of a passphrase are masked: %s', (line, shown) => {
  expect(redacted(line)).toBe(shown);
});

test.each([
  'passphrase: the key file needs one',
  'passphrase: not set for key /etc/key',
  'passphrase: failed to decrypt key 3',
  'Enter passphrase: invalid passphrase given twice',
  'password: check user account settings',
])('a sentence about a passphrase stays: %s', (line) => {
  expect(redacted(line)).toBe(line);
});

/** What strings of JSON, Go, JavaScript and Python, URLs and terminals write instead of a character. */
const ESCAPES = [
  String.raw`\n`,
  String.raw`\t`,
  String.raw`\r`,
  String.raw`\b`,
  String.raw`\f`,
  String.raw`\"`,
  String.raw`\'`,
  String.raw`\/`,
  String.raw`\\`,
  String.raw`\u0026`,
  String.raw`\u003d`,
  String.raw`\u003D`,
  String.raw`\u003c`,
  String.raw`\u0022`,
  String.raw`\u001b[1m`,
  String.raw`\x1b[0m`,
  String.raw`\033[31m`,
  String.raw`\x0a`,
  String.raw`\u{a}`,
  String.raw`\\n`,
  String.raw`\\t`,
  String.raw`\\\n`,
  String.raw`\\\\n`,
  String.raw`\\u003d`,
  '%0A',
  '%20',
  '%22',
  '%3D',
  '%26',
  '%250A',
  '&#10;',
  '&quot;',
  '&amp;',
  '\x1b[1m',
];

/** The characters that encoders of JSON escape without need: Go's these three, others each that is no letter. */
const asGo = (json: string) =>
  json.replaceAll('&', '\\u0026').replaceAll('<', '\\u003c').replaceAll('>', '\\u003e');
const asCodes = (text: string) =>
  text.replace(/[^A-Za-z0-9_ ]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
const asBytes = (text: string) =>
  text.replace(/[^A-Za-z0-9_ ]/g, (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`);
const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
const inUrl = encodeURIComponent;
const inForm = (text: string) => new URLSearchParams([['', text]]).toString().slice(1);

/** A text as the strings of others write it. */
const ENCODED: Readonly<Record<string, (text: string) => string>> = {
  JSON: inJson,
  'JSON of Go': (text) => asGo(inJson(text)),
  'JSON in JSON': (text) => inJson(inJson(text)),
  'JSON of Go in JSON of Go': (text) => asGo(inJson(asGo(inJson(text)))),
  'JSON in JSON in JSON': (text) => inJson(inJson(inJson(text))),
  'JSON with escaped slashes': (text) => inJson(text).replaceAll('/', String.raw`\/`),
  'JSON with a code for each sign': asCodes,
  'a string with a byte for each sign': asBytes,
  'a URL': inUrl,
  'a URL in a URL': (text) => inUrl(`/y?z=${inUrl(text)}`).replace(/^%2Fy%3Fz%3D/, ''),
  'a URL in JSON': (text) => inJson(inUrl(text)),
  'a form': inForm,
};

/** The secret with what names it, without a space beside it. */
const bare = ({ line }: SecretSample) => line.replace(/^sent | to the server$/g, '');

/** Lists what stays visible of the secrets of the table within other text. */
function leaksOf(around: (line: string) => string, seed: number): readonly string[] {
  return secretSamples(new Random(seed)).flatMap((sample) => {
    const line = around(bare(sample));
    const shown = redacted(line);
    return sample.secrets.some((secret) => leaks(shown, secret, 8))
      ? [`${sample.name}: ${line} -> ${shown}`]
      : [];
  });
}

test.each(ESCAPES)('no secret is missed behind or before %j', (sign) => {
  for (let seed = 1; seed <= 2; seed++) {
    expect(leaksOf((line) => `{"msg":"a${sign}${line}${sign}z"}`, seed)).toEqual([]);
    expect(leaksOf((line) => `a${sign}${line}`, seed)).toEqual([]);
    expect(leaksOf((line) => `${line}${sign}z`, seed)).toEqual([]);
  }
});

test.each(Object.entries(ENCODED))('no secret is missed in %s', (_, encoded) => {
  for (let seed = 1; seed <= 4; seed++)
    for (const sample of secretSamples(new Random(seed))) {
      const line = `{"msg":"${encoded(`a\n${bare(sample)}\nz`)}"}`;
      const shown = redacted(line);
      const isLeaked = sample.secrets.some(
        (secret) => leaks(shown, secret, 8) || leaks(shown, encoded(secret), 10),
      );
      expect({ name: sample.name, line, shown, isLeaked }).toEqual({
        name: sample.name,
        line,
        shown,
        isLeaked: false,
      });
    }
});

test('only the secret is masked, not the escapes around it', () => {
  const token = `ghp_${'a1B2'.repeat(9)}`;
  expect(redacted(`{"msg":"dump:\\n${token}\\nlast\\tx"}`)).toBe(
    '{"msg":"dump:\\n[redacted github-token]\\nlast\\tx"}',
  );
  expect(redacted(`\x1b[31merror\x1b[0m \x1b[1m${token}\x1b[0m end`)).toBe(
    '\x1b[31merror\x1b[0m \x1b[1m[redacted github-token]\x1b[0m end',
  );
  expect(redacted('c?sv=2020\\u0026sig=abcDEF123%2Bxyz\\u0026sp=r')).toBe(
    'c?sv=2020\\u0026sig=[redacted signature-in-a-url]\\u0026sp=r',
  );
});

test.each([
  ["ALTER USER shop WITH PASSWORD 'x' password='ab''cd9012'", 'cd9012'],
  ['password="ab""cd9012",next', 'cd9012'],
  ['password\u2192ab12cd9012', 'cd9012'],
])('the whole value is masked in %s', (line, secret) => expect(redacted(line)).not.toContain(secret));

test.each(Object.entries(LINES_OF_PROGRAMS))('no line of %s is touched', (_, shapes) => {
  const random = new Random(5);
  for (let round = 0; round < 100; round++)
    for (const shape of shapes) {
      const line = shape(random);
      expect(redacted(line)).toBe(line);
    }
});

test('at most one of a thousand ordinary lines is touched', () => {
  const lines = ordinaryLines(new Random(7), 50_000);
  const touched = lines.filter((line) => redacted(line) !== line);
  expect(touched.slice(0, 60)).toEqual([]);
});

// A sentence in a form is left out: `+` may be the space of a form or a sign of a password.
test.each([...ESCAPES, ...Object.keys(ENCODED).filter((name) => name !== 'a form')])(
  'at most one of a thousand ordinary lines is touched in %j',
  (name) => {
    const encoded = ENCODED[name] ?? ((line: string) => `a${name}${inJson(line)}${name}z`);
    const lines = ordinaryLines(new Random(11), 2000).map((line) => `{"msg":"${encoded(`a\n${line}\nz`)}"}`);
    const touched = lines.filter((line) => redacted(line) !== line);
    expect(touched.length, touched.slice(0, 5).join('\n')).toBeLessThanOrEqual(2);
  },
);

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

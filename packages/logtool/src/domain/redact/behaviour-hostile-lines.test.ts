import { expect, test } from 'vitest';
import { Redactor } from './redactor.ts';

/** Each makes a search start over at many positions. */
const HOSTILE: readonly (readonly [name: string, piece: string])[] = [
  ['beginnings of tokens', 'eyJ'],
  ['beginnings of tokens with points', 'eyJaaaaaaaa.'],
  ['names without a value', 'password='],
  ['names and quotes', 'password="'],
  ['escaped quotes', 'token=\\"\\'],
  ['opened logins', 'http://a:'],
  ['schemes', 'authorization: digest a="b", '],
  ['beginnings of keys', '-----BEGIN PRIVATE KEY----- '],
  ['ends of keys', '-----BEGIN PRIVATE KEY----------END PRIVATE KEY-----'],
  ['cookies', 'cookie: a'],
  ['one letter', 'a'],
  ['capitals', 'A'],
  ['digits', '1'],
  ['dashes', '-'],
  ['points', 'a.'],
  ['spaces', ' '],
  ['base64', 'aB3+'],
  ['flags', ' --db-db-token'],
  ['curl', 'curl -u '],
  ['mysql', 'mysql -'],
  ['elements', '<password></'],
  ['keys and values', 'key="password" '],
  ['discord', 'Maaaaaaaaaaaaaaaaaaaaaaaa.aaaaaa.'],
  ['aws', 'AKIAAAAAAAAAAAAAAAAA '],
  ['bearer', 'bearer '],
  ['colons', 'token:'],
  ['slack', 'xoxb-1'],
  ['backslashes', '\\'],
  ['escaped line ends', '\\n'],
  ['escapes of escapes', '\\u005c'],
  ['percent signs', '%25'],
  ['nested percent signs', '%2525252525'],
  ['color codes', '\x1b[1m'],
  ['escaped color codes', '\\u001b[1m+%20'],
  ['color codes without an end', '\x1b[1;1;'],
  ['entities', '&amp;'],
];

test.each(HOSTILE)('a line of %s takes time in proportion to its length', (_, piece) => {
  const timeOf = (length: number) => {
    const line = piece.repeat(Math.ceil(length / piece.length));
    let best = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 3; round++) {
      const before = process.cpuUsage();
      new Redactor().redact(line);
      const { user, system } = process.cpuUsage(before);
      best = Math.min(best, user + system);
    }
    return best / 1000;
  };
  // Sixteen times the length: quadratic time would be 256 times as much.
  const [short, long] = [timeOf(16_000), timeOf(256_000)];
  expect(long).toBeLessThan(Math.max(short, 2) * 64);
});

import { expect, test } from 'vitest';
import { attachment, fileName } from './file-name.ts';

const NOW = Date.parse('2026-11-21T10:00:00Z');

test('a file is named by what is asked for and when', () => {
  expect(fileName(undefined, ['shop:deployments/web'], 'log', NOW)).toBe(
    'shop-deployments-web-2026-11-21-100000.log',
  );
  expect(fileName(undefined, ['a', 'b'], 'csv', NOW)).toBe('a-and-more-2026-11-21-100000.csv');
});

test.each([
  ['../../etc/passwd', 'etc-passwd.log'],
  ['a"\r\nset-cookie: x=1', 'a-set-cookie-x-1.log'],
  ['web.log', 'web.log'],
  ['...', 'logs.log'],
  ['', 'logs.log'],
])('escapes a requested name: %j', (asked, name) => {
  expect(fileName(asked, [], 'log', NOW)).toBe(name);
});

test('a long name is cut, never in the middle of a character', () => {
  const name = fileName(`a${'𝒜'.repeat(100)}`, [], 'log', NOW);
  expect(name).toBe(`a${'𝒜'.repeat(59)}.log`);
  expect(attachment(name)).toBe(
    `attachment; filename="a${'_'.repeat(118)}.log"; filename*=UTF-8''${encodeURIComponent(name)}`,
  );
});

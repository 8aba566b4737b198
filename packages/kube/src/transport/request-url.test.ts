import { expect, test } from 'vitest';
import { requestUrl } from './request-url.ts';

test.each([
  ['https://a:6443', 'https://a:6443/api/v1/pods?limit=1'],
  ['https://a:6443/', 'https://a:6443/api/v1/pods?limit=1'],
  ['https://a/k8s/clusters/c-1/', 'https://a/k8s/clusters/c-1/api/v1/pods?limit=1'],
  ['https://a//b/', 'https://a//b/api/v1/pods?limit=1'],
  ['https://user:secret@a/', 'https://a/api/v1/pods?limit=1'],
  ['https://[::1]:6443', 'https://[::1]:6443/api/v1/pods?limit=1'],
])('below %s', (server, expected) => {
  expect(requestUrl(new URL(server), '/api/v1/pods?limit=1').href).toBe(expected);
});

test('a path of slashes costs no more than its length', () => {
  const server = `https://a/${'/'.repeat(2 ** 20)}b`;
  expect(requestUrl(new URL(`${server}//`), '/api').href === `${server}/api`).toBe(true);
});

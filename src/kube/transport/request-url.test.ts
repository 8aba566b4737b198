import { expect, test } from 'vitest';
import { requestUrl } from './request-url.ts';

test.each([
  ['https://a:6443', 'https://a:6443/api/v1/pods?limit=1'],
  ['https://a:6443/', 'https://a:6443/api/v1/pods?limit=1'],
  ['https://a/k8s/clusters/c-1/', 'https://a/k8s/clusters/c-1/api/v1/pods?limit=1'],
  ['https://user:secret@a/', 'https://a/api/v1/pods?limit=1'],
  ['https://[::1]:6443', 'https://[::1]:6443/api/v1/pods?limit=1'],
])('below %s', (server, expected) => {
  expect(requestUrl(new URL(server), '/api/v1/pods?limit=1').href).toBe(expected);
});

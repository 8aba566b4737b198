import { expect, test } from 'vitest';
import { environmentProxy } from './environment-proxy.ts';

const PROXY = 'http://proxy:3128';

// Cases from golang.org/x/net/http/httpproxy's documentation and from its UseProxy tests.
test.each([
  ['https://api.example.com:6443', '', true],
  ['https://localhost:6443', '', false],
  ['https://127.0.0.1:6443', '', false],
  ['https://127.9.9.9', '', false],
  ['https://[::1]:6443', '', false],
  ['https://api.example.com', '*', false],
  ['https://10.1.2.3', '*', false],
  ['https://api.example.com', 'example.com', false],
  ['https://example.com', 'example.com', false],
  ['https://example.com', '.example.com', true],
  ['https://api.example.com', '.example.com', false],
  ['https://api.example.com', '*.example.com', false],
  ['https://notexample.com', 'example.com', true],
  ['https://API.Example.com', 'other, EXAMPLE.com ', false],
  ['https://api.example.com:6443', 'example.com:6443', false],
  ['https://api.example.com:6443', 'example.com:443', true],
  ['https://api.example.com', 'example.com:443', false],
  ['https://10.1.2.3:6443', '10.0.0.0/8', false],
  ['https://11.1.2.3:6443', '10.0.0.0/8', true],
  ['https://10.1.2.3:6443', '10.1.2.3', false],
  ['https://10.1.2.3:6443', '10.1.2.3:6443', false],
  ['https://10.1.2.3:6443', '10.1.2.3:1', true],
  ['https://[2001:db8::1]:6443', '2001:db8::/32', false],
  ['https://[2001:db8::1]:6443', '[2001:db8::1]:6443', false],
  ['https://[2001:db8::1]:6443', '2001:db8::2', true],
  ['https://name', '10.0.0.0/8,,/,10.0.0.0/99,:80,x/y', true],
])('%s with NO_PROXY=%s: proxy %s', (server, list, isProxied) => {
  const found = environmentProxy(new URL(server), { HTTPS_PROXY: PROXY, NO_PROXY: list });
  expect(found).toBe(isProxied ? PROXY : undefined);
});

test('http servers take HTTP_PROXY, https servers HTTPS_PROXY; small letters count when the large are empty', () => {
  const env = { http_proxy: 'http://a', https_proxy: 'http://b', HTTPS_PROXY: '', no_proxy: 'skip' };
  expect(environmentProxy(new URL('http://h'), env)).toBe('http://a');
  expect(environmentProxy(new URL('https://h'), env)).toBe('http://b');
  expect(environmentProxy(new URL('https://skip'), env)).toBeUndefined();
  expect(environmentProxy(new URL('https://h'), { HTTP_PROXY: 'http://a' })).toBeUndefined();
});

test('a proxy without a scheme is an http one', () => {
  expect(environmentProxy(new URL('https://h'), { HTTPS_PROXY: 'p:1' })).toBe('http://p:1');
  expect(environmentProxy(new URL('https://h'), { HTTPS_PROXY: 'socks5://p:1' })).toBe('socks5://p:1');
});

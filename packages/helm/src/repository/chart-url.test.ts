import { expect, it } from 'vitest';
import { resolveAddress } from './chart-url.ts';

it.each([
  ['web-1.0.0.tgz', 'https://a.example/charts/web-1.0.0.tgz?key=k1'],
  ['/web-1.0.0.tgz', 'https://a.example/web-1.0.0.tgz?key=k1'],
  ['//b.example/web-1.0.0.tgz', 'https://b.example/web-1.0.0.tgz'],
  ['//a.example:8443/web-1.0.0.tgz', 'https://a.example:8443/web-1.0.0.tgz'],
  ['https://a.example/web-1.0.0.tgz', 'https://a.example/web-1.0.0.tgz'],
])('the query of a repository goes along to its own origin only: %s', (reference, address) => {
  expect(resolveAddress(new URL('https://a.example/charts?key=k1'), reference)).toBe(address);
});

import { expect, test } from 'vitest';
import { routeName } from './measure-server.ts';

test.each([
  ['', '/', 'page'],
  ['', '/shop/deployments/web', 'page'],
  ['', '/assets/index-1234.js', 'file'],
  ['', '/healthz', 'probe'],
  ['/logs', '/logs/healthz', 'probe'],
  ['/logs', '/logs', 'page'],
  ['', '/api/v1/info', '/info'],
  ['/logs', '/logs/api/v1/contexts/prod-eu/logs', '/contexts/{context}/logs'],
  ['', '/api/v1/contexts/prod-eu/logs/download', '/contexts/{context}/logs/download'],
  ['', '/api/v1/secret-name', 'unknown'],
])('below %j, %s is %s', (basePath, path, name) => {
  expect(routeName(path, basePath)).toBe(name);
});

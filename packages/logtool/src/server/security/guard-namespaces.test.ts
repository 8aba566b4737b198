import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { expect, test } from 'vitest';
import { withMessage } from '../../../../../test/support/with-message.ts';
import { guardNamespaces } from './guard-namespaces.ts';

const read = (allowed: readonly string[], source: string, namespace = 'shop') =>
  guardNamespaces(allowed, [source], namespace)[0]?.read;

test('where all are allowed, sources stay as they are', () => {
  for (const source of ['web', 'deployments/*', '*:pods/*', 'kube-system:pods/x/y'])
    expect(read([], source)).toEqual([source]);
});

test.each([
  ['web', ['shop:web']],
  ['deployments/*', ['shop:deployments/*']],
  ['shop:pods/web-0/app', ['shop:pods/web-0/app']],
  ['team-b:web', ['team-b:web']],
  ['*:deployments/*', ['shop:deployments/*', 'team-a:deployments/*', 'team-b:deployments/*']],
  ['team-*:web', ['team-a:web', 'team-b:web']],
])('%s is kept inside', (source, expected) => {
  expect(read(['shop', 'team-a', 'team-b'], source)).toEqual(expected);
});

test.each(['other:web', 'other-*:pods/*', 'team:web', 'shop-2:web'])('%s is refused', (source) => {
  expect(() => read(['shop', 'team-a'], source)).toThrow(
    expect.objectContaining({ code: 'namespace-not-allowed' }),
  );
});

test('the default namespace is no way around', () => {
  expect(() => read(['team-a'], 'deployments/*', 'shop')).toThrow(
    expect.objectContaining({ code: 'namespace-not-allowed' }),
  );
});

test('the default namespace is not named to those to whom it is not shown', () => {
  try {
    read(['team-a'], 'deployments/*', 'secret-shop');
    expect.unreachable();
  } catch (error) {
    const { what, why, next, cause } = withMessage(error);
    expect(cause).toBeInstanceOf(CodedError);
    expect([what, why, next, String(cause)].join(' ')).not.toContain('secret-shop');
  }
});

test('reports an invalid source', () => {
  for (const source of ['', 'a:b:c', 'shop:', ':web'])
    expect(() => read(['shop'], source)).toThrow(expect.objectContaining({ code: 'bad-source' }));
});

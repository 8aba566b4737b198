import { expect, test } from 'vitest';
import { wantedNamespaces } from './wanted-namespaces.ts';

test('names are read once each, none means all', () => {
  expect(wantedNamespaces(undefined, [])).toEqual([]);
  expect(wantedNamespaces(' , ', [])).toEqual([]);
  expect(wantedNamespaces('shop, web,shop', [])).toEqual(['shop', 'web']);
  expect(wantedNamespaces('shop', ['shop', 'web'])).toEqual(['shop']);
});

test.each(['..', 'a/b', 'Shop', '*', 'a\nb', 'x'.repeat(64)])('%j is the name of no namespace', (name) => {
  expect(() => wantedNamespaces(`shop,${name}`, [])).toThrow(
    expect.objectContaining({ code: 'bad-request' }),
  );
});

test('clients cannot make the server watch any number of namespaces', () => {
  const names = Array.from({ length: 2_001 }, (_, index) => `n${index}`);
  expect(wantedNamespaces(names.slice(1).join(','), [])).toHaveLength(2_000);
  expect(() => wantedNamespaces(names.join(','), [])).toThrow(
    expect.objectContaining({ code: 'bad-request' }),
  );
});

test('one that is not allowed is refused, whatever stands beside it', () => {
  expect(() => wantedNamespaces('shop,secret', ['shop'])).toThrow(
    expect.objectContaining({ code: 'namespace-not-allowed' }),
  );
});

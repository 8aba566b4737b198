import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codePoint } from '../../../../../../test/support/fuzz/code-point.ts';
import { WORKLOAD_KINDS } from '../../../contract/workload-kinds.ts';
import { formatSearch, parseSearch } from '../../frame/search-params.ts';
import { type HomeUrl, readHomeUrl, URL_SELECTION_LIMIT, writeHomeUrl } from './home-url.ts';
import { SORT_COLUMNS } from './sort.ts';

const read = (text: string) => readHomeUrl(parseSearch(text));

test('a bare address is the default view', () => {
  expect(read('')).toEqual({
    ctx: undefined,
    ns: [],
    kind: undefined,
    q: '',
    sort: 'name',
    isDescending: false,
    sel: [],
  });
});

test('the address is plain text', () => {
  const url: HomeUrl = {
    ctx: 'prod-eu',
    ns: ['shop', 'edge'],
    kind: 'pods',
    q: 'web 1',
    sort: 'restarts',
    isDescending: true,
    sel: ['shop:deployments/web'],
  };
  expect(formatSearch(writeHomeUrl(url))).toBe(
    '?ctx=prod-eu&ns=shop&ns=edge&kind=pods&q=web+1&sort=-restarts&sel=shop:deployments/web',
  );
});

test('every state comes back from its address', () => {
  const text = fc
    .string({ minLength: 1, unit: codePoint })
    .map((value) => value.replace(/\p{Surrogate}/gu, '?'));
  const list = fc.uniqueArray(text, { maxLength: 5 });
  const state = fc.record({
    ctx: fc.option(text, { nil: undefined }),
    ns: list,
    kind: fc.constantFrom(undefined, ...WORKLOAD_KINDS),
    q: fc.oneof(fc.constant(''), text),
    sort: fc.constantFrom(...SORT_COLUMNS),
    isDescending: fc.boolean(),
    sel: list,
  });
  fc.assert(
    fc.property(state, (url) => {
      expect(read(formatSearch(writeHomeUrl(url)))).toEqual(url);
    }),
  );
});

test('what makes no sense is left out, and nothing is thrown', () => {
  expect(read('?kind=secrets&sort=-nothing&ns=&ns=a&ns=a&__proto__=x')).toMatchObject({
    kind: undefined,
    sort: 'name',
    isDescending: false,
    ns: ['a'],
  });
  fc.assert(fc.property(fc.string({ unit: codePoint }), (text) => void read(text)));
});

test('a selection that makes an address too long is not written to it', () => {
  const sel = Array.from({ length: URL_SELECTION_LIMIT + 1 }, (_, index) => `n:pods/${index}`);
  expect(writeHomeUrl({ ...read(''), sel }).sel).toBeUndefined();
  expect(writeHomeUrl({ ...read(''), sel: sel.slice(1) }).sel).toEqual(sel.slice(1));
});

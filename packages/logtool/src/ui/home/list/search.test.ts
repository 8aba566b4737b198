import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeWorkload } from '../../../../../../test/support/ui/home/make-workload.ts';
import { highlights, kindTerms, matches, searchTerms } from './search.ts';

const web = makeWorkload({ name: 'web-frontend', namespace: 'shop' });
const finds = (query: string) => matches(web, searchTerms(query));

test('every word must be found, in the name or the namespace, in any letter case', () => {
  expect(finds('WEB shop')).toBe(true);
  expect(finds('front sho')).toBe(true);
  expect(finds('web kube')).toBe(false);
  expect(finds('  ')).toBe(true);
});

test('namespace and name can be typed as one', () => {
  expect(finds('shop/web')).toBe(true);
  expect(finds('web/shop')).toBe(false);
});

test('a kind is found by its beginning, of three letters or more', () => {
  expect(finds('deploy')).toBe(true);
  expect(finds('deployments')).toBe(true);
  expect(finds('ment')).toBe(false);
  expect(finds('dm')).toBe(false);
  expect(kindTerms('Deployment', ['web', 'dep'])).toEqual(['dep']);
});

test('a search means its letters, not a pattern', () => {
  expect(finds('web.*')).toBe(false);
  expect(finds('(')).toBe(false);
});

test('overlapping hits are marked as one', () => {
  expect(highlights('web-webber', ['web', 'eb-w'])).toEqual([[0, 7]]);
  expect(highlights('banana', ['an'])).toEqual([[1, 5]]);
});

test('marks are inside the text, in order and apart, and each holds letters of a term', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.string({ minLength: 1 }), { maxLength: 4 }), (text, queries) => {
      const terms = queries.flatMap(searchTerms);
      let end = -1;
      for (const [from, to] of highlights(text, terms)) {
        expect(from).toBeGreaterThan(end);
        expect(to).toBeGreaterThan(from);
        expect(to).toBeLessThanOrEqual(text.length);
        const slice = text.slice(from, to).toLowerCase();
        expect(terms.some((term) => slice.includes(term))).toBe(true);
        end = to;
      }
    }),
  );
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseSearch } from '../../domain/search/search-query.ts';
import { type SearchToken, searchTokens, splitAtFault } from './search-tokens.ts';

const kinds = (text: string) => searchTokens(text).map(({ kind, text: token }) => [kind, token]);

describe('the parts of a search', () => {
  test('distinguishes words, exclusions and fields', () => {
    expect(kinds('timeout -healthz @level:error')).toEqual([
      ['text', 'timeout'],
      ['blank', ' '],
      ['not', '-healthz'],
      ['blank', ' '],
      ['field', '@level:'],
      ['value', 'error'],
    ]);
    expect(kinds('-@json.user.id:"a b" "quoted words" -')).toEqual([
      ['not', '-@json.user.id:'],
      ['value', '"a b"'],
      ['blank', ' '],
      ['text', '"quoted words"'],
      ['blank', ' '],
      ['text', '-'],
    ]);
  });

  const writtenValue = (token: SearchToken | undefined) => (token?.kind === 'value' ? token.text : '');
  const piece = fc.constantFrom('-', '@', 'level', 'error', ':', '"', '\\', ' ', '\t', 'a.b', 'é', '😀');
  const typed = fc.oneof(
    fc.string(),
    fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join('')),
  );

  test('joined they are what was typed', () => {
    fc.assert(
      fc.property(typed, (text) => {
        expect(
          searchTokens(text)
            .map((token) => token.text)
            .join(''),
        ).toBe(text);
      }),
    );
  });

  test('they are as many fields and refusals as the search itself has', () => {
    fc.assert(
      fc.property(typed, (text) => {
        const terms = parseSearch(text);
        // A level that is still incomplete has no effect, but already has its colors.
        const tokens = searchTokens(text).filter(
          (token, index, all) =>
            !/^-?@level:$/.test(token.text) || !/^"?"?$/.test(writtenValue(all[index + 1])),
        );
        const fields = terms.filter(({ kind }) => kind !== 'text').length;
        expect(
          tokens.filter((token) => /^-?@[^\s:"]+:$/.test(token.text) && token.kind !== 'text').length,
        ).toBe(fields);
        const shown = tokens.filter(({ kind, text: own }) => kind === 'not' && own !== '-""' && own !== '-"');
        expect(shown.length).toBe(terms.filter(({ not }) => not).length);
      }),
      { examples: [['-"\t'], ['@level:'], ['-@level:'], ['@level:"" a'], ['-@level:""'], ['@level: @a:']] },
    );
  });
});

test('a fault marks one whole character, or the place after the end', () => {
  expect(splitAtFault('a(b', 1)).toEqual(['a', '(', 'b']);
  expect(splitAtFault('a😀b', 1)).toEqual(['a', '😀', 'b']);
  expect(splitAtFault('ab', 2)).toEqual(['ab', '', '']);
  expect(splitAtFault('ab', 99)).toEqual(['ab', '', '']);
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { codePoint } from '../../../../../test/support/fuzz/code-point.ts';
import { headOf, openQuote, quotedForBash, unquoted } from './shell-quotes.ts';

it.each([
  ['plain', 'plain'],
  [String.raw`two\ words`, 'two words'],
  [`'two words'`, 'two words'],
  [`"it's"`, `it's`],
  [`'say "hi"'`, 'say "hi"'],
  [String.raw`"a\"b\$c\d"`, String.raw`a"b$c\d`],
  [`default:'web`, 'default:web'],
  [`a'b'"c"d`, 'abcd'],
  ['$HOME/x', '/home/ada/x'],
  [`"$\{HOME}/x"`, '/home/ada/x'],
  [`'$HOME'`, '$HOME'],
  [String.raw`\$HOME`, '$HOME'],
  ['$UNSET/x', '$UNSET/x'],
  ['$(touch ran)', '$(touch ran)'],
  ['$__proto__', '$__proto__'],
  ['end\\', 'end\\'],
  ['', ''],
])('%s is %s', (quoted, text) => {
  expect(unquoted(quoted, { HOME: '/home/ada' })).toBe(text);
});

it('knows the quote that is open', () => {
  const samples = ['', 'a', `'a`, `"a`, `'a'`, `"a'b`, `'a"b`, String.raw`\'a`, String.raw`"a\"`, `a'b'"c`];
  expect(samples.map(openQuote)).toEqual(['', '', "'", '"', '', '"', "'", '', '"', '"']);
});

it('reads what was quoted for bash unchanged', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: codePoint }),
      fc.constantFrom('' as const, '"' as const, "'" as const),
      (text, quote) => {
        const spelled = quotedForBash(text, quote);
        if (spelled !== undefined) expect(unquoted(`${quote}${spelled}${quote}`)).toBe(text);
        else expect(text).toMatch(/['!]/);
      },
    ),
    { numRuns: 10_000 },
  );
});

it.each([
  ['$NAMESPACE:dep', { typed: '$NAMESPACE:', text: 'shop:' }],
  [`\${NAMESPACE}:deployments/w`, { typed: `\${NAMESPACE}:deployments/`, text: 'shop:deployments/' }],
  ['"$NAMESPACE:', { typed: '"$NAMESPACE:', text: 'shop:' }],
  // Nothing in these has a special meaning.
  ["'$NAMESPACE:dep", undefined],
  ['\\$NAMESPACE:dep', undefined],
  ['$OTHER:dep', undefined],
  ['$NAMESPACE', undefined],
  ['shop:$NAMESPACE', undefined],
  ['$NAMESPACE:two words', undefined],
  ['', undefined],
])('the head of %s', (quoted, head) => {
  const read = (text: string, expand: boolean) => unquoted(text, expand ? { NAMESPACE: 'shop' } : {});
  expect(headOf(quoted, read)).toEqual(head);
});

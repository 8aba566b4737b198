import fc from 'fast-check';
import { expect, it } from 'vitest';
import { headOf, openQuote, quotedForBash, unquoted } from './shell-words.ts';

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
])('%s is %s', (word, text) => {
  expect(unquoted(word, { HOME: '/home/ada' })).toBe(text);
});

it('knows the quote that is open', () => {
  const words = ['', 'a', `'a`, `"a`, `'a'`, `"a'b`, `'a"b`, String.raw`\'a`, String.raw`"a\"`, `a'b'"c`];
  expect(words.map(openQuote)).toEqual(['', '', "'", '"', '', '"', "'", '', '"', '"']);
});

it('reads what was quoted for bash unchanged', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
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
  ['$PLACE:dep', { typed: '$PLACE:', text: 'shop:' }],
  [`\${PLACE}:deployments/w`, { typed: `\${PLACE}:deployments/`, text: 'shop:deployments/' }],
  ['"$PLACE:', { typed: '"$PLACE:', text: 'shop:' }],
  // Nothing in these has a special meaning.
  ["'$PLACE:dep", undefined],
  ['\\$PLACE:dep', undefined],
  ['$OTHER:dep', undefined],
  ['$PLACE', undefined],
  ['shop:$PLACE', undefined],
  ['$PLACE:two words', undefined],
  ['', undefined],
])('the head of %s', (word, head) => {
  const read = (part: string, expand: boolean) => unquoted(part, expand ? { PLACE: 'shop' } : {});
  expect(headOf(word, read)).toEqual(head);
});

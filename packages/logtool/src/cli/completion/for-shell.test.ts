import fc from 'fast-check';
import { expect, it } from 'vitest';
import { codePoint } from '../../../../../test/support/fuzz/code-point.ts';
import { type Asker, answerFor } from './for-shell.ts';

const HOSTILE = ['$(touch ran)', 'two words', 'a\nb', 'a\tb', '\x1b[31mred', ':4', '\u202eback', ''];
const answer = (asker: Asker, typed: string, values: readonly string[]) =>
  answerFor(asker, typed, { candidates: values.map((value) => ({ value })) });

it('says what each is, whether a blank follows, and whether names of files do', () => {
  expect(
    answerFor('zsh', '', { candidates: [{ value: 'a', meaning: 'the\n\x1b[31mfirst' }, { value: 'b' }] }),
  ).toBe('a\tthe\\x0afirst\nb\n:4\n');
  expect(answer('zsh', '', ['pods/', 'shop:'])).toBe('pods/\nshop:\n:6\n');
  expect(answer('zsh', '', ['pods/', 'web'])).toBe('pods/\nweb\n:4\n');
  expect(answerFor('zsh', '', { candidates: [{ value: 'a' }], isOpen: true })).toBe('a\n:6\n');
  expect(answerFor('zsh', '', { candidates: [], files: true })).toBe(':0\n');
});

it('leaves out what cannot be shown, and quotes for bash', () => {
  expect(answer('bash', '', HOSTILE)).toBe('\\$\\(touch\\ ran\\)\ntwo\\ words\n:4\n');
  expect(answer('bash', `"`, HOSTILE)).toBe('\\$(touch ran)\ntwo words\n:4\n');
  expect(answer('fish', '', HOSTILE)).toBe('$(touch ran)\ntwo words\n:4\n');
  expect(answer('kubectl', '', HOSTILE)).toBe(':4\n');
});

it('does not change the head of a word that contains a variable', () => {
  const offer = { candidates: [{ value: 'shop:web' }, { value: 'shop:two words' }, { value: 'other' }] };
  const headed = (asker: Asker, candidate: string, typed: string) =>
    answerFor(asker, candidate, offer, { head: { typed, text: 'shop:' } });
  expect(headed('bash', '$PLACE:w', '$PLACE:')).toBe('$PLACE:web\n$PLACE:two\\ words\n:4\n');
  expect(headed('bash', '"$PLACE:w', '"$PLACE:')).toBe('$PLACE:web\n$PLACE:two words\n:4\n');
  expect(headed('fish', '$PLACE:w', '$PLACE:')).toBe('$PLACE:web\n$PLACE:two words\n:4\n');
  // zsh takes the text after the last separator.
  expect(headed('zsh', '$PLACE:w', '$PLACE:')).toBe('web\ntwo words\n:68\n');
});

it('gives bash what follows the part of the word that it keeps, whatever quotes it contains', () => {
  const offer = { candidates: [{ value: 'shop:web' }, { value: 'shop:two words' }, { value: 'other' }] };
  const kept = (argument: string, typed: string, head?: string) =>
    answerFor('bash', argument, offer, {
      kept: { typed, text: 'shop:' },
      head: head === undefined ? undefined : { typed: head, text: 'shop:' },
    });
  expect(kept('shop:w', 'shop:')).toBe('web\ntwo\\ words\n:4\n');
  expect(kept('"shop":w', '"shop":')).toBe('web\ntwo\\ words\n:4\n');
  expect(kept('shop:"w', 'shop:"')).toBe('web\ntwo words\n:4\n');
  expect(kept('"$PLACE:w', '"', '"$PLACE:')).toBe('$PLACE:web\n$PLACE:two words\n:4\n');
  // Omits what bash would read as the number at the end.
  expect(answerFor('bash', 'shop":w', offer, { kept: { typed: 'shop"', text: 'shop' } })).toBe(':4\n');
});

it('is one line for each candidate, whatever they are', () => {
  const text = fc.string({ unit: codePoint });
  const candidate = fc.record({ value: text, meaning: fc.option(text, { nil: undefined }) });
  const asker = fc.constantFrom<Asker>('kubectl', 'bash', 'zsh', 'fish', 'powershell');
  fc.assert(
    fc.property(asker, text, fc.array(candidate), (who, typed, candidates) => {
      const lines = answerFor(who, typed, { candidates }).split('\n');
      expect(lines.at(-1)).toBe('');
      expect(lines.at(-2)).toMatch(/^:[46]$/);
      for (const line of lines.slice(0, -2)) expect(line).toMatch(/^[^:\p{Cc}][^\p{Cc}]*(\t[^\p{Cc}]*)?$/u);
    }),
    { numRuns: 10_000 },
  );
});

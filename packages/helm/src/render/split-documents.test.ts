import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitDocuments } from './split-documents.ts';

/** Helm's own implementation: https://github.com/helm/helm/blob/v4.1.4/pkg/release/v1/util/manifest.go */
function byPattern(text: string): string[] {
  return text
    .trim()
    .split(/(?:^|[ \t\n\f\r]*\n)---[ \t\n\f\r]*/)
    .filter((document) => document !== '')
    .map((document) => document.trim());
}

it.each([
  ['', []],
  ['---', []],
  ['a', ['a']],
  ['---\na\n---\nb\n', ['a', 'b']],
  ['a\n---\n---\nb', ['a', '---\nb']],
  ['a\n--- # more\nb', ['a', '# more\nb']],
  ['a---\nb', ['a---\nb']],
  ['a\n ---\nb', ['a\n ---\nb']],
  ['a\n----\nb', ['a', '-\nb']],
  ['\n\n---\n\na\r\n---\r\nb', ['a', 'b']],
])('%j: %j', (text, documents) => {
  expect(splitDocuments(text)).toEqual(documents);
});

it('splits any text where the pattern splits it', () => {
  const pieces = fc.array(
    fc.constantFrom('---', '-', '\n', ' ', '\r\n', '\t', 'a', '#', '\u00a0', '\v', '\f'),
  );
  fc.assert(
    fc.property(pieces, (text) => {
      expect(splitDocuments(text.join(''))).toEqual(byPattern(text.join('')));
    }),
    { numRuns: 5000 },
  );
});

it('goes over a long run of blanks once', () => {
  expect(splitDocuments(`a${' '.repeat(4_000_000)}b\n---\n${'\n'.repeat(4_000_000)}c`)).toHaveLength(2);
});

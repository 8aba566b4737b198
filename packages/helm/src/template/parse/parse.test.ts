import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ParseError } from '../errors.ts';
import { parseTemplate } from './parse.ts';
import { show } from './show.ts';

const PIECES = [
  '{{',
  '}}',
  '{{-',
  '-}}',
  '{{- ',
  ' -}}',
  '/*',
  '*/',
  '(',
  ')',
  '|',
  ',',
  ':=',
  '=',
  '.',
  '$',
  '$x',
  '.a',
  '!',
  '"',
  '`',
  "'",
  '\\',
  '"s"',
  '`r`',
  "'c'",
  '1',
  '-',
  '+',
  '0x',
  '1e',
  '1.5',
  '_',
  'é',
  '\u{1F600}',
  '\ud800',
  '\0',
  'if',
  'else',
  'end',
  'range',
  'with',
  'define',
  'template',
  'block',
  'break',
  'continue',
  'nil',
  'true',
  'f',
  ' ',
  '\n',
  '\t',
  'text',
  '{{ end }}',
  '{{ if f }}',
  '{{ else }}',
  '{{ define "d" }}',
  '{{ range . }}',
];

const texts = fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 3 })), { maxLength: 30 });

it('reads any text or says in one line what is wrong with it, and where', () => {
  let read = 0;
  let refused = 0;
  fc.assert(
    fc.property(texts, fc.boolean(), (pieces, isAction) => {
      const text = isAction ? `{{ ${pieces.join(' ')} }}` : pieces.join('');
      try {
        for (const { root } of parseTemplate('t', text, (name) => name === 'f').values()) show(root);
        read++;
      } catch (error) {
        if (!(error instanceof ParseError)) throw error;
        refused++;
        const line = Number(/^template: t:(\d+): ./.exec(error.message)?.[1]);
        expect(line).toBeGreaterThan(0);
        expect(line).toBeLessThanOrEqual(text.split('\n').length);
      }
    }),
    { numRuns: 10_000 },
  );
  // Proves that the texts are close enough to templates.
  expect(read).toBeGreaterThan(100);
  expect(refused).toBeGreaterThan(1000);
});

it('reads again what it shows of a text as the same text', () => {
  fc.assert(
    fc.property(texts, (pieces) => {
      const read = (text: string) => {
        try {
          return parseTemplate('t', text, (name) => name === 'f').get('t')!.root;
        } catch (error) {
          if (error instanceof ParseError) return undefined;
          throw error;
        }
      };
      const root = read(pieces.join(''));
      if (root === undefined) return;
      const shown = show(root);
      expect(show(read(shown)!)).toBe(shown);
    }),
    { numRuns: 2000 },
  );
});

/**
 * All templates of a pattern: `combine('{{ F X }}', { F: ['first', 'last'], X: ['.Values.list'] })` puts each
 * of the texts in the place of its letter, which is a word by itself.
 */
export function combine(pattern: string, choices: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.entries(choices).reduce<string[]>(
    (patterns, [letter, texts]) =>
      patterns.flatMap((one) =>
        texts.map((text) => one.replace(new RegExp(`\\b${letter}\\b`, 'g'), () => text)),
      ),
    [pattern],
  );
}

/** A value of each kind, for functions that take anything. */
export const ANYTHING: readonly string[] = [
  '.Values.text',
  '.Values.empty',
  '.Values.int',
  '.Values.zero',
  '.Values.float',
  '.Values.big',
  '.Values.negative',
  '.Values.yes',
  '.Values.no',
  '.Values.nothing',
  '.Values.absent',
  '.Values.list',
  '.Values.emptyList',
  '.Values.mixed',
  '.Values.map',
  '.Values.emptyMap',
  '.Values.number',
  'nil',
  '7',
  '-3',
  '2.75',
  '"abc"',
  '"12.5"',
  'true',
  '(int64 5)',
  '(until 3)',
  '(splitList "," "x,y")',
  '(dict "k" 1)',
  '(b64dec "/w==")',
];

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readLine } from './read-line.ts';

/** The line in short: command, flags, operands, and what is wanted. */
function read(words: readonly string[]): string {
  const { raw, wanted } = readLine(words);
  const flags = [...raw.flags].map(([name, uses]) =>
    [name, ...uses.map(({ value }) => value ?? 'bare')].join('='),
  );
  const end = wanted.kind === 'value' ? `value of ${wanted.flag.name} behind "${wanted.fixed}"` : wanted.kind;
  return [raw.command, ...flags, '|', ...raw.positionals, '|', end].join(' ');
}

it.each<[readonly string[], string]>([
  [[], ' | | command'],
  [['lo'], ' | | command'],
  [['cluster', 'repo', ''], ' | | command'],
  [['nothing', ''], ' | | nothing'],
  [['nothing', '--'], ' | | nothing'],
  [['--kubeconfig', 'x', 'lo'], ' kubeconfig=x | | command'],
  [['logs', ''], 'logs | | operand'],
  [['logs', 'web', ''], 'logs | web | operand'],
  [['logs', '-'], 'logs | | flag'],
  [['logs', '--co'], 'logs | | flag'],
  [['logs', '--', '--co'], 'logs | | operand'],
  [['logs', '-n', ''], 'logs | | value of namespace behind ""'],
  [['logs', '-n', 'shop', ''], 'logs namespace=shop | | operand'],
  [['logs', '-nsh'], 'logs | | value of namespace behind "-n"'],
  [['logs', '-n=sh'], 'logs | | value of namespace behind "-n="'],
  [['logs', '-fp=o'], 'logs | | value of previous behind "-fp="'],
  [['logs', '-p=only', ''], 'logs previous=only | | operand'],
  [['logs', '-nshop', ''], 'logs namespace=shop | | operand'],
  [['logs', '-n=shop', ''], 'logs namespace=shop | | operand'],
  [['logs', '-fn', 'shop', ''], 'logs follow=bare namespace=shop | | operand'],
  [['logs', '--namespace='], 'logs | | value of namespace behind "--namespace="'],
  [['logs', '--tail', ''], 'logs tail=bare | | operand'],
  [['logs', '--tail', '5', ''], 'logs tail=5 | | operand'],
  [['logs', '--tail=5', ''], 'logs tail=5 | | operand'],
  [['logs', '--no-follow', ''], 'logs follow=false | | operand'],
  [['logs', '--follow='], 'logs | | value of follow behind "--follow="'],
  [['logs', '--grep', '--x', ''], 'logs grep=--x | | operand'],
  [['logs', '--unknown', ''], 'logs | | operand'],
  [['logs', '--unknown='], 'logs | | nothing'],
  [
    ['cluster', 'install', '-f', 'v.yaml', '-f', ''],
    'cluster install values=v.yaml | | value of values behind ""',
  ],
])('%j', (words, line) => {
  expect(read(words)).toBe(line);
});

it('reads any words', () => {
  const word = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      'logs',
      'cluster',
      'repo',
      '-',
      '--',
      '-n',
      '-fn',
      '--tail',
      '--no-',
      '--=',
      '__proto__',
      '-=',
    ),
  );
  fc.assert(
    fc.property(fc.array(word), (words) => {
      expect(readLine(words).typed).toBe(words.at(-1) ?? '');
    }),
    { numRuns: 10_000 },
  );
});

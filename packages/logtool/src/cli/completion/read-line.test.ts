import fc from 'fast-check';
import { expect, it } from 'vitest';
import { codePoint } from '../../../../../test/support/fuzz/code-point.ts';
import { readLine } from './read-line.ts';

/** Summarizes the line: command, flags, operands, and what is wanted. */
function read(args: readonly string[]): string {
  const { raw, wanted } = readLine(args);
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
])('%j', (args, line) => {
  expect(read(args)).toBe(line);
});

it('reads any words', () => {
  const arg = fc.oneof(
    fc.string({ unit: codePoint }),
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
    fc.property(fc.array(arg), (args) => {
      expect(readLine(args).typed).toBe(args.at(-1) ?? '');
    }),
    { numRuns: 10_000 },
  );
});

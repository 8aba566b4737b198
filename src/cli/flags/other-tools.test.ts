import { describe, expect, test } from 'vitest';
import { LogtoolError } from '../../domain/errors.ts';
import { codeOf, planOf } from '../testing/plan-of.ts';
import { parseArguments } from './parse.ts';

const nextOf = (...argv: string[]) => {
  try {
    parseArguments('logs', argv);
  } catch (error) {
    if (error instanceof LogtoolError) return error.next;
  }
  return 'accepted';
};

describe('flags of kubectl, stern and kubetail under their own names', () => {
  test('--context is --kube-context', async () => {
    expect((await planOf(['web', '--context', 'prod'])).connection.context).toBe('prod');
    expect((await planOf(['web', '--context=prod', '--kube-context=dev'])).connection.context).toBe('dev');
  });
  test('-C and --context-lines are records around a match', async () => {
    for (const flag of ['-C3', '--context-lines=3']) {
      const { filter } = (await planOf(['web', '--level=error', flag])).engine;
      expect([filter.beforeContext, filter.afterContext]).toEqual([3, 3]);
    }
    expect(await codeOf(['web', '-C3'])).toBe('context-needs-filter');
  });
});

describe('advice', () => {
  test.each([
    [
      ['--template', '{{.Message}}'],
      "for programs: -o json; for a line of your own: --format '{time} {pod} {message} {json.user.id}'",
    ],
    [['--include=error'], 'to keep records that match: --grep RE --force'],
    [
      ['--server', 'x'],
      'name a context of that server: --kube-context NAME; for another: kubectl config set-cluster',
    ],
    [['--with-pod'], 'for that column: --add-columns pod'],
    [['-v6'], 'for the requests made: --debug; for the version: -V'],
    [['-H', 'error'], 'to mark what matches: --highlight RE'],
    [['-fs', '1h'], 'since a time or so long ago: --since TIME'],
    [['-A'], 'write -A 3, or for all namespaces: --all-namespaces'],
    [['-fA', 'web'], 'write -A 3, or for all namespaces: --all-namespaces'],
  ])('%j', (argv, next) => expect(nextOf(...argv)).toBe(next));

  test('a letter with its number is what logtool has', () => expect(nextOf('-A', '3')).toBe('accepted'));
  test('a long name gets no advice about the letter', () =>
    expect(nextOf('--after-context')).toBe('see: logtool logs --help'));
});

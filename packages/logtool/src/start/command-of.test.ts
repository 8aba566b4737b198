import { expect, it } from 'vitest';
import { commandOf } from './command-of.ts';

it('has one file for a command, whatever its arguments are', () => {
  expect(commandOf(['logs', 'web', '--tail=1'])).toBe('logs');
  expect(commandOf(['cluster', 'list'])).toBe('cluster-list');
  expect(commandOf(['cluster', '--kube-context', 'x'])).toBe('cluster');
  expect(commandOf(['__complete:bash', 'logs'])).toBe('complete');
  for (const args of [[], ['--version'], ['../../etc'], ['LOGS'], ['a'.repeat(21)]])
    expect(commandOf(args)).toBe('other');
});

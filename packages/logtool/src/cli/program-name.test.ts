import { expect, test } from 'vitest';
import { capture } from '../../../../test/support/cli/capture.ts';
import { namedAs, programArguments, programName } from './program-name.ts';
import { run } from './run.ts';

test('an executable kubectl-logtool is the plugin of kubectl', () => {
  for (const path of ['/usr/bin/kubectl-logtool', 'C:\\bin\\kubectl-logtool.exe', 'kubectl-logtool'])
    expect(programName(path)).toBe('kubectl logtool');
  for (const path of ['/usr/bin/logtool', '/opt/kubectl-logtool/bin/logtool.js', '/kubectl-logtools', ''])
    expect(programName(path)).toBe('logtool');
});

test('commands are named as typed, and nothing else is', () => {
  expect(namedAs('see: logtool logs --help, logtool --help', 'kubectl logtool')).toBe(
    'see: kubectl logtool logs --help, kubectl logtool --help',
  );
  for (const text of [
    '~/.logtool/config.yaml',
    'logtool dashboard: http://x',
    'kubectl logtool logs',
    'my-logtool logs',
  ])
    expect(namedAs(text, 'logtool')).toBe(text);
  expect(namedAs('the release logtool in the namespace logtool', 'kubectl logtool')).toBe(
    'the release logtool in the namespace logtool',
  );
});

test('help and errors of the plugin say how it is called', async () => {
  const say = async (...argv: string[]) => {
    const world = capture(argv, { overrides: { program: 'kubectl logtool' } });
    await run(world.context);
    return world.stdout() + world.stderr();
  };
  expect(await say('--help')).toMatch(/^Usage: kubectl logtool COMMAND \[flags\]$/m);
  expect(await say('--help')).toMatch(/^ {2}kubectl logtool serve {2,}/m);
  expect(await say('logs', '--help')).toMatch(/^ {2}kubectl logtool logs deployments\/web -f {2,}/m);
  expect(await say('cluster', '--help')).toContain('kubectl logtool cluster COMMAND --help');
  expect(await say('nonsense')).toContain('next: see: kubectl logtool --help');
});

test('an executable kubectl_complete-logtool completes the plugin', () => {
  for (const path of ['/usr/bin/kubectl_complete-logtool', 'C:\\bin\\kubectl_complete-logtool.exe'])
    expect(programArguments(path, ['logs', ''])).toEqual(['__complete', 'logs', '']);
  expect(programArguments('/usr/bin/kubectl-logtool', ['logs', ''])).toEqual(['logs', '']);
});

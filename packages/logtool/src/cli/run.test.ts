import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CaptureOptions, capture } from '../../../../test/support/cli/capture.ts';
import { expectGolden } from '../../../../test/support/cli/golden.ts';
import { CONFIG_ERRORS, USAGE_ERRORS } from '../../../../test/support/cli/usage-errors.ts';
import { ALL_COMMANDS } from './commands/commands.ts';
import { run } from './run.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logtool-run-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function logtool(argv: readonly string[], options?: CaptureOptions) {
  const world = capture(argv, options);
  const code = await run(world.context);
  return { code, stdout: world.stdout(), stderr: world.stderr() };
}

describe('help', () => {
  test.each(['', 'config', ...ALL_COMMANDS.map((command) => command.name)])('of %j', async (name) => {
    const names = name.split(' ').filter(Boolean);
    const { code, stdout, stderr } = await logtool([...names, '--help']);
    expect([code, stderr]).toEqual([0, '']);
    expectGolden(`help/${name.replaceAll(' ', '-') || 'program'}.txt`, stdout);
    expect((await logtool(['help', ...names])).stdout).toBe(stdout);
  });

  test('no command at all', async () => {
    expect(await logtool([])).toEqual(await logtool(['--help']));
  });
});

test('--version', async () => {
  for (const argv of [['--version'], ['version'], ['logs', '--version']]) {
    expect(await logtool(argv)).toEqual({ code: 0, stdout: 'logtool 0.0.0-test\n', stderr: '' });
  }
});

describe('usage errors', () => {
  test.each(USAGE_ERRORS)('%s', async (name, argv) => {
    const { code, stdout, stderr } = await logtool(argv);
    expect([code, stdout]).toEqual([2, '']);
    expectGolden(`errors/${name}.txt`, stderr);
  });

  test.each(CONFIG_ERRORS)('%s', async (name, text) => {
    const path = join(folder, `${name}.yaml`);
    await writeFile(path, text);
    const { code, stderr } = await logtool(['logs', 'web', '--config', path]);
    expect(code).toBe(2);
    expectGolden(`errors/${name}.txt`, stderr.replaceAll(`${folder}/`, ''));
  });

  test('config-file-exists', async () => {
    const path = join(folder, 'exists.yaml');
    await writeFile(path, '');
    const { code, stderr } = await logtool(['config', 'init', '--path', path]);
    expect(code).toBe(2);
    expectGolden('errors/config-file-exists.txt', stderr.replaceAll(`${folder}/`, ''));
  });
});

describe('--debug', () => {
  test.each([
    [['--debug'], {}],
    [[], { LOGTOOL_DEBUG: '1' }],
  ])('%j %j adds the stack', async (argv, env) => {
    const { stderr } = await logtool(['logs', ...argv], { env });
    expect(stderr).toMatch(/^debug: CodedError: no-source \{\}\n(debug: .*\n)+error: /);
  });

  test('without it there is none', async () => {
    expect((await logtool(['logs'], { env: { LOGTOOL_DEBUG: '0' } })).stderr).toMatch(
      /^error: .*\n {2}next: .*\n$/,
    );
  });
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMANDS } from './commands/commands.ts';
import { run } from './run.ts';
import { type CaptureOptions, capture } from './testing/capture.ts';
import { expectGolden } from './testing/golden.ts';

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
  test.each(['', 'config', ...COMMANDS.map((command) => command.name)])('of %j', async (name) => {
    const words = name.split(' ').filter(Boolean);
    const { code, stdout, stderr } = await logtool([...words, '--help']);
    expect([code, stderr]).toEqual([0, '']);
    expectGolden(`help/${name.replaceAll(' ', '-') || 'program'}.txt`, stdout);
    expect((await logtool(['help', ...words])).stdout).toBe(stdout);
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
  const NOON = '2026-11-21T12:00:00Z';
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['unknown-command', ['lgos']],
    ['unknown-command-without-near', ['xyzzy']],
    ['unknown-command-of-a-group', ['confg', 'init']],
    ['unknown-help', ['help', 'log']],
    ['needs-subcommand', ['config']],
    ['unknown-subcommand', ['config', 'ini']],
    ['unexpected-argument', ['version', 'x']],
    ['unknown-flag', ['logs', 'web', '--folow']],
    ['unknown-flag-of-another-tool', ['logs', 'web', '--since-time', NOON]],
    ['unknown-short-flag', ['logs', 'web', '-z']],
    ['flag-needs-value', ['logs', 'web', '--since']],
    ['no-source', ['logs']],
    ['bad-source', ['logs', 'deployments/We_b']],
    ['exclusive-selection', ['logs', 'web', '--head', '--tail']],
    ['exclusive-selection-of-three', ['logs', 'web', '-h', '-t', '--all']],
    ['exclusive-start', ['logs', 'web', `--since=${NOON}`, `--after=${NOON}`]],
    ['exclusive-end', ['logs', 'web', `--until=${NOON}`, `--before=${NOON}`]],
    ['time-without-zone', ['logs', 'web', '--since=2026-11-21T12:00:00']],
    ['time-date-only', ['logs', 'web', '--since=2026-11-21']],
    ['time-malformed', ['logs', 'web', '--since=yesterday']],
    ['time-malformed-after', ['logs', 'web', '--after=yesterday']],
    ['time-out-of-range', ['logs', 'web', '--since=P9999999D']],
    ['duration-not-allowed', ['logs', 'web', '--after=PT30M']],
    ['duration-not-allowed-before', ['logs', 'web', '--before=PT30M']],
    ['duration-calendar', ['logs', 'web', '--since=P1M']],
    ['duration-bad-unit', ['logs', 'web', '--since=1d']],
    ['duration-negative', ['logs', 'web', '--since=-5m']],
    ['cursor-not-allowed', ['logs', 'web', `--since=${NOON}~1`]],
    ['empty-window', ['logs', 'web', '--since=PT1M', '--until=PT2M']],
    ['follow-with-end', ['logs', 'web', '-f', `--until=${NOON}`]],
    ['follow-with-head', ['logs', 'web', '-f', '--head=5']],
    ['follow-with-previous', ['logs', 'web', '-f', '-p']],
    ['count-negative', ['logs', 'web', '--tail=-1']],
    ['count-not-integer', ['logs', 'web', '--head=1.5']],
    ['count-too-large', ['logs', 'web', '-t9007199254740993']],
    ['count-zero', ['logs', 'web', '--max-log-requests=0']],
    ['grep-needs-force', ['logs', 'web', '--grep=x']],
    ['bad-pattern', ['logs', 'web', '--force', '--grep=(']],
    ['context-needs-filter', ['logs', 'web', '-C2']],
    ['unknown-column', ['logs', 'web', '--columns=pods']],
    ['bad-choice', ['logs', 'web', '--output=jsn']],
    ['bad-boolean', ['logs', 'web', '--follow=perhaps']],
    ['bad-size', ['logs', 'web', '--search-limit=much']],
    ['bad-timezone', ['logs', 'web', '--timezone=Mars/Base']],
    ['bad-level', ['logs', 'web', '--level=wran']],
    ['raw-with-json', ['logs', 'web', '--raw', '-ojson']],
    ['in-cluster-with-kubeconfig', ['logs', 'web', '--in-cluster', '--kubeconfig=x']],
    ['empty-value', ['logs', 'web', '--namespace=']],
    ['empty-list', ['logs', 'web', '--zone=']],
    ['config-not-found', ['logs', 'web', '--config=/nowhere/config.yaml']],
    ['hostile-argument', ['logs', 'web', '--output=\x1b]0;title\x07\u202e']],
  ];

  test.each(cases)('%s', async (name, argv) => {
    const { code, stdout, stderr } = await logtool(argv);
    expect([code, stdout]).toEqual([2, '']);
    expectGolden(`errors/${name}.txt`, stderr);
  });

  test.each([
    ['config-unknown-key', 'version: 1\ncommands:\n  logs:\n    tial: 5\n'],
    ['config-no-section', 'commands: [logs]\n'],
    ['config-bad-value', 'commands:\n  logs:\n    columns: [pods]\n'],
    ['config-invalid', 'commands: [\n'],
    ['config-version', 'version: 7\n'],
  ])('%s', async (name, text) => {
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
    expect(stderr).toMatch(/^debug: LogtoolError: .*\n(debug: .*\n)+error: /);
  });

  test('without it there is none', async () => {
    expect((await logtool(['logs'], { env: { LOGTOOL_DEBUG: '0' } })).stderr).toMatch(
      /^error: .*\n {2}next: .*\n$/,
    );
  });
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { capture } from '../../../../../test/support/cli/capture.ts';
import type { ConfigPath, Flag, FlagValue } from '../flags/flag.ts';
import { CONFIG_FORMATS } from './config-format.ts';

const KEY: ConfigPath = 'commands.logs.probe';

type Row = Pick<Flag, 'value'> & Partial<Pick<Flag, 'default' | 'repeats'>>;

/** For each kind of value, flags with a default and without one. */
const ROWS: { readonly [K in FlagValue['kind']]: readonly Row[] } = {
  boolean: [{ value: { kind: 'boolean' } }, { value: { kind: 'boolean' }, default: true }],
  count: [
    { value: { kind: 'count', optional: false } },
    { value: { kind: 'count', optional: true, max: 9 }, default: 7 },
  ],
  bytes: [{ value: { kind: 'bytes' } }, { value: { kind: 'bytes' }, default: 2 ** 30 }],
  duration: [{ value: { kind: 'duration' } }, { value: { kind: 'duration' }, default: 90_000 }],
  text: [
    { value: { kind: 'text', placeholder: 'TEXT' } },
    { value: { kind: 'text', placeholder: 'TEXT' }, repeats: 'all' },
    ...['/a/b', 'a, b', 'a: "b" # c', 'true', '10', "it's", '- a', 'https://a.lan/b', 'ends:'].map(
      (text): Row => ({ value: { kind: 'text', placeholder: 'TEXT' }, default: text }),
    ),
    { value: { kind: 'text', placeholder: 'TEXT' }, repeats: 'all', default: 'one, of many' },
  ],
  list: [
    { value: { kind: 'list', placeholder: 'LIST' } },
    { value: { kind: 'list', placeholder: 'LIST' }, default: ['a', 'b'] },
    { value: { kind: 'list', placeholder: 'LIST', choices: ['all', 'none'] }, default: ['all'] },
  ],
  columns: [{ value: { kind: 'columns' } }, { value: { kind: 'columns' }, default: ['pod', 'zone'] }],
  choice: [
    { value: { kind: 'choice', choices: ['yes', 'no'] } },
    { value: { kind: 'choice', choices: ['yes', 'no'], bare: 'yes' }, default: 'no' },
  ],
};

/** Loads the program with one more flag in the table, which has a key of the configuration file. */
async function programWith(row: Row) {
  vi.resetModules();
  const { FLAGS } = await import('../flags/table.ts');
  const probe: Flag = {
    name: 'probe',
    commands: ['logs'],
    group: 'Output',
    sets: 'output',
    doc: 'Probe',
    repeats: 'last',
    config: { key: KEY, doc: 'Probe of the file' },
    ...row,
  };
  (FLAGS as Flag[]).push(probe);
  const [{ run }, { loadSettings }] = await Promise.all([
    import('../run.ts'),
    import('../settings/load-settings.ts'),
  ]);
  const home = await mkdtemp(join(tmpdir(), 'logtool-kind-'));
  onTestFinished(() => rm(home, { recursive: true }));
  const options = { home, overrides: { workingDirectory: home } };
  return {
    call: async (...argv: string[]) => {
      const { context, stdout, stderr } = capture(argv, options);
      return { exit: await run(context), stdout: stdout(), stderr: stderr() };
    },
    /** Returns the value that `logs` works with, from that file or without one. */
    effective: async (file?: string) => {
      const given = file === undefined ? [] : [['config', [{ written: '--config', value: file }]] as const];
      const raw = { command: 'logs', positionals: [], flags: new Map(given) };
      const settings = await loadSettings(capture([], options).context, 'logs', raw);
      return settings.value('probe' as 'color') as unknown;
    },
  };
}

beforeEach(() => void vi.resetModules());
afterEach(() => void vi.resetModules());

const CASES = Object.values(ROWS)
  .flat()
  .map((row) => [row.value.kind, JSON.stringify(row.default) ?? 'none', row] as const);

test.each(CASES)('a key of kind %s, default %s: written, read and shown', async (_kind, _text, row) => {
  const { call, effective } = await programWith(row);
  const shown = async (...argv: string[]) => {
    const { exit, stdout, stderr } = await call('config', 'show', '-o', 'json', ...argv);
    expect([exit, stderr]).toEqual([0, '']);
    const rows = JSON.parse(stdout) as readonly { readonly key: string; readonly value: unknown }[];
    const found = rows.find(({ key }) => key === KEY);
    expect(found).toBeDefined();
    return found?.value;
  };
  const [standard, value] = [await shown(), await effective()];
  for (const format of CONFIG_FORMATS) {
    const file = `probe.${format}`;
    expect(await call('config', 'init', '--path', file)).toMatchObject({ exit: 0, stderr: '' });
    expect(await shown('--config', file)).toEqual(standard);
    expect(await effective(file)).toEqual(value);
  }
  const table = await call('config', 'show');
  expect([table.exit, table.stderr]).toEqual([0, '']);
});

test('each key of the table of flags is a key of the file', async () => {
  const { FLAGS } = await import('../flags/table.ts');
  const { CONFIG_KEYS } = await import('./keys.ts');
  const keys = FLAGS.flatMap(({ config }) => config?.key ?? []);
  expect(keys.length).toBeGreaterThan(5);
  expect(CONFIG_KEYS.map(({ path }) => path)).toEqual(expect.arrayContaining(keys));
});

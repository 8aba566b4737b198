import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { capture } from '../../../../../test/support/cli/capture.ts';
import { defaultText } from './default-text.ts';
import type { SettingValue } from './flag.ts';

/** Defaults that differ from the table, by command and name. */
const CHANGED: readonly (readonly [command: string, name: string, value: SettingValue, written: string])[] = [
  ['logs', 'tail', 17, '17'],
  ['logs', 'search-limit', 3 * 2 ** 20, '3MiB'],
  ['logs', 'columns', ['pod', 'zone'], 'pod,zone'],
  ['logs', 'previous', 'no', 'no'],
  ['serve', 'port', 8123, '8123'],
  ['cluster install', 'timeout', 90_000, '90s'],
];

/** Loads the program with that default in the table, and nowhere else. */
async function programWith(command: string, name: string, value: SettingValue) {
  vi.resetModules();
  const { FLAGS } = await import('./table.ts');
  const row = FLAGS.find(
    (each) => each.name === name && each.commands !== 'all' && each.commands.some((of) => of === command),
  );
  Object.assign(row ?? {}, { default: value });
  const [{ run }, { markdownReference }, { manPage }, { renderConfig }, { PLANNERS }, { parseCommandLine }] =
    await Promise.all([
      import('../run.ts'),
      import('../reference/markdown.ts'),
      import('../reference/man-page.ts'),
      import('../config-file/render.ts'),
      import('../../../../../test/support/cli/planners.ts'),
      import('./find-command.ts'),
    ]);
  const { context, stdout } = capture([...command.split(' '), '--help'], { env: { COLUMNS: '120' } });
  await run(context);
  const raw = parseCommandLine(command.split(' '));
  return {
    config: row?.config?.key,
    help: stdout().replaceAll(/\s+/g, ' '),
    docs: markdownReference(),
    man: manPage('0'),
    file: renderConfig('json'),
    plan: JSON.stringify(await PLANNERS[raw.command as keyof typeof PLANNERS](capture([]).context, raw)),
  };
}

describe('a default that is changed in the table is changed everywhere', () => {
  beforeEach(() => void vi.resetModules());
  afterEach(() => void vi.resetModules());

  test.each(CHANGED)('%s --%s: %j', async (command, name, value, written) => {
    const { config, help, docs, man, file, plan } = await programWith(command, name, value);
    expect(help).toMatch(new RegExp(`--${name}\\b.*?\\(default ${written}\\)`));
    expect(docs).toMatch(new RegExp(`--${name}\\b[^\\n]*\`${written}\``));
    expect(man.replaceAll('\\', '')).toContain(`(default ${written}`);
    expect(plan).toContain(JSON.stringify(value));
    if (config === undefined) return;
    const stored: unknown = config
      .split('.')
      .reduce<unknown>((section, key) => Reflect.get(Object(section), key), JSON.parse(file));
    expect(stored).toEqual(value);
  });
});

test('a default is written in the largest unit that needs no fraction', () => {
  const text = (kind: 'bytes' | 'duration' | 'count', standard: number) =>
    defaultText({
      name: 'x',
      commands: ['logs'],
      group: 'Output',
      value: kind === 'count' ? { kind, optional: false } : { kind },
      sets: 'output',
      default: standard,
      doc: '',
      repeats: 'last',
    });
  expect([text('bytes', 2 ** 30), text('bytes', 1500), text('bytes', 0)]).toEqual(['1GiB', '1500', '0']);
  expect([text('duration', 300_000), text('duration', 1500)]).toEqual(['5m', '1500ms']);
  expect(text('count', 7500)).toBe('7500');
});

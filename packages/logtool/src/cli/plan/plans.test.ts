import { describe, expect, test } from 'vitest';
import { capture } from '../../../../../test/support/cli/capture.ts';
import { PLANNERS } from '../../../../../test/support/cli/planners.ts';
import { ALL_COMMANDS } from '../commands/commands.ts';
import { defaultText } from '../flags/default-text.ts';
import { parseCommandLine } from '../flags/find-command.ts';
import { type Flag, isOnByDefault } from '../flags/flag.ts';
import { flagsOf } from '../flags/table.ts';
import { planProgram } from './plan-program.ts';
import type { CommandName } from './plans.ts';

/** Values that fit a flag's kind, by its name or by command and name. */
const GIVEN: Readonly<Record<string, string>> = {
  where: 'status=503',
  since: '30m',
  'api-address': 'a:1',
  'api-name': 'b',
  until: '30m',
  after: '2026-11-21T10:00:00Z',
  before: '2026-11-21T10:00:00Z',
  timezone: 'local',
  'request-timeout': '7s',
  timeout: '7m',
  host: '127.0.0.2',
  http: '127.0.0.1:7700',
  'base-path': '/logs',
  'field-selector': 'spec.nodeName=a',
  image: 'registry.example.com/logs:1',
  'logs format': '{message}',
  config: '/dev/null',
  previous: 'no',
  columns: 'pod',
  bucket: '7s',
  'add-columns': 'pod',
  'remove-columns': 'dot',
};

/** Flags that another flag requires. */
const TOGETHER: Readonly<Record<string, readonly string[]>> = {
  grep: ['--force'],
  force: ['--grep=x'],
  'all-match': ['--grep=x', '--grep=y', '--force'],
  'after-context': ['--level=error'],
  'before-context': ['--level=error'],
  'context-lines': ['--level=error'],
  'api-name': ['--api-address=a:1'],
  'token-file': ['--api-address=a:1'],
  'as-group': ['--as=a'],
  'as-uid': ['--as=a'],
  'session-key-file': ['--auth=kubernetes'],
  bucket: ['--count'],
  fields: ['--output=pretty'],
  'hide-fields': ['--output=pretty'],
};

function written(command: string, row: Flag): string {
  const { name, value } = row;
  if (value.kind === 'boolean') return isOnByDefault(row) ? `--no-${name}` : `--${name}`;
  const given = GIVEN[`${command} ${name}`] ?? GIVEN[name];
  if (given !== undefined) return `--${name}=${given}`;
  const choices = 'choices' in value ? (value.choices ?? []) : [];
  const choice = choices.find((each) => each !== defaultText(row));
  return `--${name}=${choice ?? (value.kind === 'text' || value.kind === 'list' ? 'a' : '7')}`;
}

/** Returns a part of a plan by its path, as text; or the error if there is no plan. */
async function valueIn(command: CommandName, argv: readonly string[], path: string): Promise<string> {
  const { context } = capture([]);
  const raw = parseCommandLine([...command.split(' '), ...argv]);
  try {
    const plan: unknown = path.startsWith('program.')
      ? { program: planProgram(context, raw) }
      : await PLANNERS[command](context, raw);
    const found = path.split('.').reduce<unknown>((value, key) => Reflect.get(Object(value), key), plan);
    return JSON.stringify(found, (_, value) => (typeof value === 'bigint' ? String(value) : value)) ?? 'none';
  } catch (error) {
    return String(error);
  }
}

describe('a flag changes the part of the plan that its row names', () => {
  for (const { name: command } of ALL_COMMANDS) {
    const own = flagsOf(command).filter(({ commands }) => commands !== 'all' || command === 'logs');
    if (own.length === 0) continue;
    test.each(own.map((row) => [row.name, row] as const))(`${command} --%s`, async (_, row) => {
      const others = (TOGETHER[row.name] ?? []).filter((argument) =>
        own.some(({ name }) => argument.startsWith(`--${name}`)),
      );
      const without = await valueIn(command, others, row.sets);
      const given = await valueIn(command, [...others, written(command, row)], row.sets);
      expect(given).not.toMatch(/^\w*Error/);
      expect(given).not.toBe(without);
    });
  }
});

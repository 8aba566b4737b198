import { describe, expect, test } from 'vitest';
import { withMessage } from '../../../../../test/support/with-message.ts';
import { ALL_COMMANDS } from '../commands/commands.ts';
import { CONFIG_KEYS } from '../config-file/keys.ts';
import type { LogtoolError } from '../messages/logtool-error.ts';
import { parseCommandLine } from './find-command.ts';
import { parseArguments } from './parse.ts';
import { FLAGS, flagsOf } from './table.ts';

/** Formats `name=value` for each use in order, `name` for a bare one, then the operands. */
function read(argv: readonly string[]): string {
  const { flags, positionals } = parseArguments('logs', argv);
  const uses = [...flags].flatMap(([name, all]) =>
    all.map(({ value }) => (value === undefined ? name : `${name}=${value}`)),
  );
  return [...uses, '|', ...positionals].join(' ');
}

describe('forms of flags', () => {
  test.each([
    [['--tail=5', 'web'], 'tail=5 | web'],
    [['--tail', '5', 'web'], 'tail=5 | web'],
    [['--tail', 'web'], 'tail | web'],
    [['web', '--tail'], 'tail | web'],
    [['-t', '5', 'web'], 'tail=5 | web'],
    [['-t5', 'web'], 'tail=5 | web'],
    [['-t=5', 'web'], 'tail=5 | web'],
    [['-t', 'web'], 'tail | web'],
    [['-h', '3', 'web'], 'head=3 | web'],
    [['-h', 'web'], 'head | web'],
    [['--head', '-f'], 'head follow |'],
    [['-ft5'], 'follow tail=5 |'],
    [['-ft', '5', 'web'], 'follow tail=5 | web'],
    [['-tf', 'web'], 'tail follow | web'],
    [['-fp'], 'follow previous |'],
    [['-p=no'], 'previous=no |'],
    [['-p', 'no'], 'previous | no'],
    [['-nshop', 'web'], 'namespace=shop | web'],
    [['-n=shop'], 'namespace=shop |'],
    [['-fn', 'shop', 'web'], 'follow namespace=shop | web'],
    [['-n', '-f'], 'namespace=-f |'],
    [['--namespace', '--', 'x'], 'namespace=-- | x'],
    [['--no-follow'], 'follow=false |'],
    [['--follow=false'], 'follow=false |'],
    [['--follow', 'false'], 'follow | false'],
    [['--grep=a=b'], 'grep=a=b |'],
    [['--grep='], 'grep= |'],
    [['-f', '--', '-t', '--x'], 'follow | -t --x'],
    [['a', '-f', 'b', '-'], 'follow | a b -'],
    [['--zone=a', '--zone', 'b'], 'zone=a zone=b |'],
    [['-A', '3', '-B2'], 'after-context=3 before-context=2 |'],
    [['--tail', '-5'], 'tail=-5 |'],
  ])('%j', (argv, expected) => expect(read(argv).trim()).toBe(expected));
});

/** Returns the error that the terminal shows. */
function refusalOf(parse: () => unknown): LogtoolError {
  try {
    parse();
  } catch (error) {
    return withMessage(error);
  }
  throw new Error('nothing was refused');
}

describe('what is wrong', () => {
  const errorOf = (argv: readonly string[], command = 'logs') => {
    const { code, what, next } = refusalOf(() => parseArguments(command, argv));
    return `${code}: ${what}; ${next}`;
  };

  test.each([
    [['--folow'], 'unknown-flag: unknown flag --folow; did you mean --follow?'],
    [['--no-color'], 'unknown-flag: unknown flag --no-color; did you mean --color=never?'],
    [['-x'], 'unknown-flag: unknown flag -x; see: logtool logs --help'],
    [['-fx'], 'unknown-flag: unknown flag -x; see: logtool logs --help'],
    [['--\x1b[2J'], 'unknown-flag: unknown flag --^[[2J; see: logtool logs --help'],
    [['-n'], 'flag-needs-value: -n needs a value; see: logtool logs --help'],
    [['--since'], 'flag-needs-value: --since needs a value; see: logtool logs --help'],
  ])('%j', (argv, expected) => expect(errorOf(argv)).toBe(expected));

  test.each([
    ['cluster list -A', 'leave it out: logtool cluster list reads every namespace; one only: -n NAME'],
    [
      'cluster list --all-namespaces',
      'leave it out: logtool cluster list reads every namespace; one only: -n NAME',
    ],
    ['cluster uninstall -A', 'see: logtool cluster uninstall --help'],
    ['cluster upgrade -v6', 'for the requests made: --debug; for the version: logtool version'],
    [
      'cluster install -V',
      'for the version of logtool: logtool version; for that of the chart: --version RANGE',
    ],
  ])('of another tool: %s', (line, next) => {
    expect(refusalOf(() => parseCommandLine(line.split(' '))).next).toBe(next);
  });
});

describe('commands', () => {
  const commandOf = (...argv: string[]) => parseCommandLine(argv).command;
  test('global flags may precede the command', () => {
    const raw = parseCommandLine(['-c', 'logs', '--debug', 'logs', 'web', '--config=b']);
    expect(raw.command).toBe('logs');
    expect(raw.positionals).toEqual(['web']);
    expect(raw.flags.get('config')?.map(({ value }) => value)).toEqual(['logs', 'b']);
  });
  test('-h is head on logs and help everywhere else', () => {
    expect(parseCommandLine(['logs', '-h']).flags.has('head')).toBe(true);
    for (const command of ['demo', 'version', 'help']) {
      expect(parseCommandLine([command, '-h']).flags.has('help')).toBe(true);
    }
    expect(parseCommandLine(['config', 'init', '-h']).flags.has('help')).toBe(true);
    expect(parseCommandLine(['-h']).flags.has('help')).toBe(true);
  });
  test('a group by itself asks for its help', () => {
    expect(commandOf('config')).toBe('config');
    expect(commandOf('config', '--help')).toBe('config');
  });
  test('no command', () => expect(commandOf('--debug')).toBe(''));
  test('an unknown command', () =>
    expect(refusalOf(() => commandOf('lgos')).what).toBe('unknown command lgos'));
});

describe('the table', () => {
  test('no command has two flags of one name', () => {
    for (const { name } of ALL_COMMANDS) {
      const flags = flagsOf(name);
      const long = flags.map((flag) => flag.name);
      const short = flags.flatMap((flag) => flag.short ?? []);
      expect([name, long.length, short.length]).toEqual([name, new Set(long).size, new Set(short).size]);
    }
  });
  test('flags belong to commands that exist', () => {
    const names = new Set(ALL_COMMANDS.map((command) => command.name));
    for (const { commands } of FLAGS)
      if (commands !== 'all') for (const name of commands) expect(names).toContain(name);
  });
  test('keys of the configuration file exist, with the same default', () => {
    for (const flag of FLAGS) {
      if (flag.config === undefined) continue;
      const key = CONFIG_KEYS.find(({ path }) => path === flag.config?.key);
      expect(key, flag.config.key).toBeDefined();
      expect(String(key?.default)).toBe(String(flag.default ?? ''));
    }
  });
});

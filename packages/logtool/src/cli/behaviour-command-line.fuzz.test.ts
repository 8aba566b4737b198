import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { capture } from '../../../../test/support/cli/capture.ts';
import { PLANNERS } from '../../../../test/support/cli/planners.ts';
import { expectCleanPrototypes, expectEscaped } from '../../../../test/support/fuzz/escaped.ts';
import { hostileText } from '../../../../test/support/fuzz/hostile-text.ts';
import { FUZZ, FUZZED } from '../../../../test/support/fuzz/seed.ts';
import { ALL_COMMANDS, findCommand } from './commands/commands.ts';
import type { CliContext } from './context.ts';
import { parseCommandLine } from './flags/find-command.ts';
import { environmentName, type RawArguments } from './flags/flag.ts';
import { FLAGS } from './flags/table.ts';
import { worded } from './messages/worded.ts';
import { errorText } from './output/error-text.ts';
import { planRepositoryAdd } from './plan/cluster/plan-repository.ts';
import { planLogs } from './plan/logs/plan-logs.ts';
import { planServe } from './plan/serve/plan-serve.ts';
import { run } from './run.ts';

const flag = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.constantFrom(
      ...FLAGS.flatMap(({ name, short }) => [`--${name}`, `--no-${name}`, ...(short ? [`-${short}`] : [])]),
    ),
  },
  fc.stringMatching(/^-[a-zA-Z0-9=-]{1,6}$/),
  fc.constantFrom('--', '-', '--__proto__', '--constructor', '--no-no-follow', '-=', '--='),
  hostileText.map((text) => `--${text}`),
);
const value = fc.oneof(
  fc.constantFrom(
    '0',
    '5',
    '-1',
    '1e9',
    '9'.repeat(30),
    'PT5M',
    '1h',
    '2026-11-21T10:00:00Z',
    '2026-11-21T10:00:00Z~1',
  ),
  fc.constantFrom(
    'pod',
    'true',
    '(',
    'json',
    'web',
    'deployments/web',
    'a=b',
    '0.0.0.0',
    'https://u:p@h/',
    '64MiB',
    '',
  ),
  hostileText,
);
const argument = fc.oneof(
  flag,
  value,
  fc.tuple(flag, value).map(([name, text]) => `${name}=${text}`),
);
/** Every flag's variable, and those of other programs that have an effect. */
const VARIABLES = [
  ...FLAGS.flatMap((each) => environmentName(each) ?? []),
  'LOGTOOL_CHART_REPO',
  'NO_COLOR',
  'FORCE_COLOR',
  'TERM',
  'KUBECONFIG',
  'HOME',
  'TZ',
  'HELM_DRIVER',
];
const variable = fc.tuple(fc.constantFrom(...VARIABLES), value);
const environment = fc
  .array(variable, { maxLength: 2 })
  .map((all): Readonly<Record<string, string>> => Object.fromEntries(all));
const args = fc.oneof(
  { weight: 5, arbitrary: fc.constant(['logs']) },
  { weight: 8, arbitrary: fc.constantFrom(...ALL_COMMANDS.map(({ name }) => name.split(' '))) },
  fc.array(hostileText, { maxLength: 2 }),
  hostileText.map((path) => ['config', 'path', `--config=${path}`]),
);
const commandLine = fc
  .tuple(fc.array(argument, { maxLength: 1 }), args, fc.array(argument, { maxLength: 5 }))
  .map(([before, name, after]) => [...(after.length > 3 ? before : []), ...name, ...after]);

/** These read their plan first, and end if it is invalid. */
const RUN_WHEN_REFUSED = new Set(['logs', 'serve']);
/** These need neither a cluster nor a place to write to. */
const RUN = new Set(['', 'config', 'cluster', 'config show', 'config path', 'help', 'version']);

function checkFlags({ flags }: RawArguments): void {
  for (const [name, uses] of flags) {
    expect(FLAGS.some((each) => each.name === name)).toBe(true);
    expect(uses.length).toBeGreaterThan(0);
  }
}

/** Plans a command line as its command does, and checks numbers of the plan. */
async function checkPlan(context: CliContext, raw: RawArguments): Promise<void> {
  if (raw.command === 'logs') {
    const { engine, connection } = await planLogs(context, raw);
    const { selection } = engine.window;
    if (selection.kind !== 'all')
      expect(Number.isSafeInteger(selection.count) && selection.count >= 0).toBe(true);
    expect(engine.maxLogRequests).toBeGreaterThan(0);
    expect(connection.kubeconfig).not.toBe('');
  } else if (raw.command === 'serve') {
    const { port } = await planServe(context, raw);
    expect(port >= 0 && port <= 65_535).toBe(true);
  } else if (raw.command === 'cluster repo add') await planRepositoryAdd(context, raw);
  else if (raw.command.startsWith('cluster ')) {
    const name = findCommand(raw.command)?.name ?? 'help';
    const plan = await PLANNERS[name](context, raw);
    if ('timeoutMs' in plan) expect(plan.timeoutMs).toBeGreaterThanOrEqual(0);
  }
}

interface Outcome {
  readonly outcome: 'plan' | 'run' | 'refused';
  /** Whether it can run without a cluster. */
  readonly isRun: boolean;
}

async function outcomeOf(context: CliContext, argv: readonly string[]): Promise<Outcome> {
  let command: string | undefined;
  try {
    const raw = parseCommandLine(argv);
    command = raw.command;
    checkFlags(raw);
    await checkPlan(context, raw);
    const isRun = RUN.has(command);
    return { outcome: isRun ? 'run' : 'plan', isRun };
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    expect(error.exit).toBe('usage');
    expectEscaped(errorText(worded(error)), argv);
    // A command with valid arguments would run for real.
    const isRun = command === undefined || RUN.has(command) || RUN_WHEN_REFUSED.has(command);
    return { outcome: 'refused', isRun };
  }
}

test(`any command line is a plan, a run without faults, or a usage error (${FUZZED})`, async () => {
  const outcomes = new Map<string, number>();
  const count = (outcome: string) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  await fc.assert(
    fc.asyncProperty(commandLine, environment, fc.boolean(), async (argv, env, terminal) => {
      const world = capture(argv, { env, terminal });
      const { outcome, isRun } = await outcomeOf(world.context, argv);
      count(outcome);
      if (!isRun) return;
      // logtool reports the mistake before it does anything.
      const code = await run(world.context);
      expect([0, 2]).toContain(code);
      // A stack may contain any text.
      expect(world.stderr().replace(/^debug: .*$/gm, '')).not.toMatch(
        /TypeError|is not a function|Cannot read prop|unexpectedly/,
      );
      if (!terminal) return;
      expectEscaped(world.stdout(), argv);
      expectEscaped(world.stderr(), argv);
    }),
    FUZZ,
  );
  for (const outcome of ['plan', 'run', 'refused'])
    expect(outcomes.get(outcome) ?? 0).toBeGreaterThan(FUZZ.numRuns / 100);
  expectCleanPrototypes('command lines');
});

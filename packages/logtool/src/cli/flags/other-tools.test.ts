import { describe, expect, test } from 'vitest';
import { codeOf, planOf } from '../../../../../test/support/cli/plan-of.ts';
import { kubectl } from '../../../../../test/support/oracles/kubectl.ts';
import { CliError } from '../messages/cli-error.ts';
import { worded } from '../messages/worded.ts';
import { findFlag } from './flag.ts';
import { adviceForFlag, OTHER_FLAGS } from './other-tools.ts';
import { parseArguments } from './parse.ts';
import { flagsOf } from './table.ts';

const nextOf = (...argv: string[]) => {
  try {
    parseArguments('logs', argv);
  } catch (error) {
    if (error instanceof CliError) return worded(error).next;
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
    [['-v6'], 'for the requests made: --debug; for the version: logtool version'],
    [['-H', 'error'], 'to mark what matches: --highlight RE'],
    [['-fs', '1h'], 'since a time or so long ago: --since TIME'],
    [['-A'], 'write -A 3, or for all namespaces: --all-namespaces'],
    [['-fA', 'web'], 'write -A 3, or for all namespaces: --all-namespaces'],
  ])('%j', (argv, next) => expect(nextOf(...argv)).toBe(next));

  test('a letter with its number is what logtool has', () => expect(nextOf('-A', '3')).toBe('accepted'));
  test('a long name gets no advice about the letter', () =>
    expect(nextOf('--after-context')).toBe('see: logtool logs --help'));
});

/**
 * Flags of stern 1.34 (its README at 8a00e61), with their letters before a slash; without those of kubectl
 * options.
 */
const STERN =
  'A/all-namespaces burst color completion condition config c/container container-colors container-state context ' +
  'd/diff-container ephemeral-containers e/exclude E/exclude-container exclude-pod field-selector H/highlight ' +
  'i/include init-containers kubeconfig max-log-requests n/namespace no-follow node only-log-lines o/output pod-colors ' +
  'p/prompt qps l/selector show-hidden-options s/since stdin tail template T/template-file t/timestamps timezone ' +
  'verbosity v/version';
/**
 * Flags of kubetail (modules/cli/cmd at a2d8db22), and those of its columns before --columns replaced them.
 */
const KUBETAIL =
  'kube-context h/head t/tail all f/follow since until after before g/grep region zone os arch node raw columns ' +
  'add-columns remove-columns with-cursors hide-header all-containers backend force kubeconfig in-cluster c/config test ' +
  'with-ts with-dot with-node with-region with-zone with-os with-arch with-namespace with-pod with-container hide-ts hide-dot';

/** Returns name and letter of each flag in a help text of kubectl. */
function flagsOfHelp(help: string): string[] {
  return [...help.matchAll(/^ {4}(?:-(\w), )?--([\w-]+)=/gm)].map(([, letter, name]) =>
    letter === undefined ? `${name}` : `${letter}/${name}`,
  );
}

/** Returns the flags for which logtool logs has neither a flag nor advice. */
function unanswered(flags: readonly string[]): readonly string[] {
  const own = flagsOf('logs');
  return flags.filter((each) => {
    const [name = '', letter] = each.split('/').reverse();
    const flag = findFlag(own, name) ?? (name.startsWith('no-') ? findFlag(own, name.slice(3)) : undefined);
    if (flag === undefined && adviceForFlag('logs', `--${name}`) === undefined) return true;
    const isSame = letter === undefined || (flag !== undefined && flag.short === letter);
    return !isSame && adviceForFlag('logs', `-${letter}`) === undefined;
  });
}

describe('each flag of the other tools is accepted or answered', () => {
  test('of stern', () => expect(unanswered(STERN.split(' '))).toEqual([]));
  test('of kubetail', () => expect(unanswered(KUBETAIL.split(' '))).toEqual([]));
  test('of kubectl logs and kubectl options, as the real kubectl lists them', async () => {
    const options = { kubeconfig: '/dev/null', home: '/nonexistent' };
    const help = [await kubectl(['logs', '--help'], options), await kubectl(['options'], options)];
    const flags = help.flatMap(({ stdout }) => flagsOfHelp(stdout.toString()));
    expect(flags.length).toBeGreaterThan(40);
    expect(unanswered(flags)).toEqual([]);
  });
  test('what is advised is not accepted anyway, and each flag that the advice names exists', () => {
    for (const { name, next, commands } of OTHER_FLAGS) {
      const own = flagsOf(typeof commands === 'string' ? 'logs' : (commands[0] ?? ''));
      expect(findFlag(own, name), name).toBeUndefined();
      if (next.includes('kubectl config')) continue;
      for (const [, advised = ''] of next.matchAll(/--([a-z-]+)/g))
        expect(findFlag(own, advised), next).toBeDefined();
    }
  });
});

/** Commands whose second word is also a command. */
const GROUPS = ['cluster', 'config'];
/** What a shell calls when the user presses Tab (cli/completion/complete.ts). */
const COMPLETION = /^__complete(?::[a-z]+)?$/;
const COMMAND_NAME = /^[a-z]{1,20}$/;

/**
 * Returns the command of a command line, for use as a file name. Returns only a few different names, whatever the
 * arguments are.
 */
export function commandOf(args: readonly string[]): string {
  const [first = '', second = ''] = args;
  if (COMPLETION.test(first)) return 'complete';
  if (!COMMAND_NAME.test(first)) return 'other';
  return GROUPS.includes(first) && COMMAND_NAME.test(second) ? `${first}-${second}` : first;
}

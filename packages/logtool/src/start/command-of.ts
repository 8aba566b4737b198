/** Commands whose second word is one too. */
const GROUPS = ['cluster', 'config'];
/** What a shell asks with when Tab is pressed (cli/completion/complete.ts). */
const COMPLETION = /^__complete(?::[a-z]+)?$/;
const COMMAND_NAME = /^[a-z]{1,20}$/;

/** The command of a command line, as a name of a file: few at most, whatever the arguments are. */
export function commandOf(args: readonly string[]): string {
  const [first = '', second = ''] = args;
  if (COMPLETION.test(first)) return 'complete';
  if (!COMMAND_NAME.test(first)) return 'other';
  return GROUPS.includes(first) && COMMAND_NAME.test(second) ? `${first}-${second}` : first;
}

/** Letters of flags whose name has another meaning on a command. */
const LETTERS_OF_COMMANDS: Readonly<Record<string, string>> = {
  V: 'for the version of logtool: logtool version; for that of the chart: --version RANGE',
};

/** Letters with another meaning in another tool: what to type for that meaning. */
const OTHER_LETTERS: Readonly<Record<string, string>> = {
  A: 'all namespaces: --all-namespaces',
  c: 'a container: --container NAME',
  s: 'since a time or so long ago: --since TIME',
  e: 'to drop records that match: --exclude RE',
  E: 'without a container: --exclude-container NAME',
  H: 'to mark what matches: --highlight RE',
  i: 'to keep records that match: --grep RE --force',
  p: 'to select pods by a label: --selector app.kubernetes.io/instance=NAME',
  t: 'timestamps are shown; without them: --remove-columns timestamp',
};

/**
 * Returns what to type for another tool's meaning of one of logtool's letters; undefined if no tool differs.
 */
export function adviceForOtherMeaning(command: string, letter: string): string | undefined {
  if (command !== 'logs')
    return Object.hasOwn(LETTERS_OF_COMMANDS, letter) ? LETTERS_OF_COMMANDS[letter] : undefined;
  return Object.hasOwn(OTHER_LETTERS, letter) ? OTHER_LETTERS[letter] : undefined;
}

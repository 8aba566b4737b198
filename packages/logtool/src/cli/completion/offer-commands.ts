import { COMMANDS } from '../commands/commands.ts';
import { type Flag, isOnByDefault } from '../flags/flag.ts';
import { flagsOf } from '../flags/table.ts';
import type { Candidate } from './candidate.ts';
import type { Line } from './read-line.ts';

/** Offers the next words of commands: `cluster`, then `repo`, then `add`. */
export function offerCommands(group: string): readonly Candidate[] {
  const before = group === '' ? '' : `${group} `;
  const firstNames = new Map<string, string>();
  for (const { name, summary } of COMMANDS) {
    if (!name.startsWith(before)) continue;
    const [first = '', ...more] = name.slice(before.length).split(' ');
    if (!firstNames.has(first))
      firstNames.set(first, more.length === 0 ? summary : groupText(before + first));
  }
  return [...firstNames].map(([value, meaning]) => ({ value, meaning }));
}

function groupText(group: string): string {
  const names = COMMANDS.filter(({ name }) => name.startsWith(`${group} `));
  return [...new Set(names.map(({ name }) => name.slice(group.length + 1).split(' ')[0]))].join(', ');
}

/**
 * Offers the flags that can still be given. Offers `--no-x` if the user begins to type it, or if x is the
 * default.
 */
export function offerFlags({ raw, typed }: Line): readonly Candidate[] {
  return flagsOf(raw.command)
    .filter(({ name, repeats }) => repeats === 'all' || !raw.flags.has(name))
    .flatMap((flag) => [...formsOf(flag, typed.startsWith('--no')), ...aliasesOf(flag, typed)]);
}

/** Offers aliases only once the user begins to type one: the flag's own name means the same. */
function aliasesOf({ aliases = [], doc }: Flag, typed: string): readonly Candidate[] {
  return typed === '' || typed === '-' || typed === '--'
    ? []
    : aliases.map((alias) => ({ value: `--${alias}`, meaning: doc }));
}

function formsOf(flag: Flag, isNegated: boolean): readonly Candidate[] {
  const { name, value, doc, negated } = flag;
  const own = { value: `--${name}`, meaning: doc };
  if (value.kind === 'boolean') {
    const not = { value: `--no-${name}`, meaning: negated ?? `Not --${name}` };
    return isNegated || isOnByDefault(flag) ? [own, not] : [own];
  }
  if (value.kind !== 'choice' || value.bare === undefined) return [own];
  return [own, ...value.choices.map((choice) => ({ value: `--${name}=${choice}` }))];
}

import { COMMANDS, findCommand } from '../commands/commands.ts';
import { type Flag, type FlagUse, findFlag, type RawArguments } from '../flags/flag.ts';
import { isOptional } from '../flags/parse.ts';
import { flagsOf } from '../flags/table.ts';

/** What the word at the cursor is. */
export type Wanted =
  | { readonly kind: 'command'; readonly group: string }
  | { readonly kind: 'flag' }
  /** `fixed`: the start of the word before the value: `--columns=`. */
  | { readonly kind: 'value'; readonly flag: Flag; readonly fixed: string }
  | { readonly kind: 'operand' }
  | { readonly kind: 'nothing' };

/** A command line under completion. */
export interface Line {
  /** The words before the cursor's word. Does not check values, and ignores mistakes. */
  readonly raw: RawArguments;
  readonly wanted: Wanted;
  /** The word at the cursor, up to the cursor. */
  readonly typed: string;
}

/** Reads the words after the program's name; the last one is the word at the cursor. Never throws. */
export function readLine(args: readonly string[]): Line {
  const reader = new LineReader(args.slice(0, -1));
  const typed = args.at(-1) ?? '';
  const wanted = reader.wanted(typed);
  const raw = { command: reader.command ?? '', positionals: reader.positionals, flags: reader.uses };
  return { raw, wanted, typed };
}

class LineReader {
  readonly positionals: string[] = [];
  readonly uses = new Map<string, FlagUse[]>();
  /** Undefined until found. */
  command: string | undefined;
  #group = '';
  #isUnknown = false;
  #onlyOperands = false;
  /** A flag whose value is the next word. */
  #open: Flag | undefined;
  #flags = flagsOf('');

  constructor(args: readonly string[]) {
    for (const [at, arg] of args.entries()) this.#take(arg, args[at + 1]);
  }

  wanted(typed: string): Wanted {
    if (this.#open !== undefined) return { kind: 'value', flag: this.#open, fixed: '' };
    if (this.#isUnknown) return { kind: 'nothing' };
    if (!this.#onlyOperands && typed.startsWith('--')) {
      const equals = typed.indexOf('=');
      if (equals < 0) return { kind: 'flag' };
      const flag = findFlag(this.#flags, typed.slice(2, equals));
      if (flag === undefined) return { kind: 'nothing' };
      return { kind: 'value', flag, fixed: typed.slice(0, equals + 1) };
    }
    if (!this.#onlyOperands && typed.startsWith('-')) {
      const glued = this.#shorts(typed);
      if (glued === undefined) return { kind: 'flag' };
      const value = glued.value.replace(/^=/, '');
      return { kind: 'value', flag: glued.flag, fixed: typed.slice(0, typed.length - value.length) };
    }
    if (this.command === undefined) return { kind: 'command', group: this.#group };
    return { kind: 'operand' };
  }

  #take(arg: string, following: string | undefined): void {
    if (this.#open !== undefined) {
      this.#use(this.#open, arg);
      this.#open = undefined;
    } else if (this.#onlyOperands) this.positionals.push(arg);
    else if (arg === '--') this.#onlyOperands = true;
    else if (arg.startsWith('--')) this.#long(arg, following);
    else if (arg.startsWith('-') && arg !== '-') {
      const glued = this.#shorts(arg, true);
      if (glued === undefined) return;
      if (glued.value === '') this.#begin(glued.flag, following);
      else this.#use(glued.flag, glued.value.replace(/^=/, ''));
    } else if (this.command !== undefined) this.positionals.push(arg);
    else this.#commandName(arg);
  }

  #commandName(argument: string): void {
    const name = this.#group === '' ? argument : `${this.#group} ${argument}`;
    if (findCommand(name) !== undefined) {
      this.command = name;
      this.#flags = flagsOf(name);
    } else if (COMMANDS.some((command) => command.name.startsWith(`${name} `))) this.#group = name;
    else this.#isUnknown = true;
  }

  #long(arg: string, following: string | undefined): void {
    const [, name = '', value] = /^--([^=]*)(?:=(.*))?$/s.exec(arg) ?? [];
    const flag = findFlag(this.#flags, name);
    const negated = this.#flags.find((each) => `no-${each.name}` === name && each.value.kind === 'boolean');
    if (flag === undefined) {
      if (negated !== undefined) this.#use(negated, 'false');
    } else if (value === undefined) this.#begin(flag, following);
    else this.#use(flag, value);
  }

  /** Takes a flag without a value in the same word; the next word may be its value. */
  #begin(flag: Flag, following: string | undefined): void {
    const takesCount = flag.value.kind === 'count' && /^[+-]?\d+$/.test(following ?? '');
    if (isOptional(flag) && !takesCount) this.#use(flag, undefined);
    else this.#open = flag;
  }

  /**
   * Returns the flag in a group of short flags that takes the rest of the word, or the next word, as its
   * value.
   */
  #shorts(arg: string, use = false): { readonly flag: Flag; readonly value: string } | undefined {
    for (let at = 1; at < arg.length; at++) {
      const flag = this.#flags.find(({ short }) => short === arg[at]);
      if (flag === undefined) return undefined;
      const value = arg.slice(at + 1);
      if (value.startsWith('=') || (!isOptional(flag) && (value !== '' || use))) return { flag, value };
      if (use) this.#use(flag, undefined);
    }
    return undefined;
  }

  #use({ name }: Flag, value: string | undefined): void {
    const use = { written: `--${name}`, value };
    const uses = this.uses.get(name);
    if (uses === undefined) this.uses.set(name, [use]);
    else uses.push(use);
  }
}

import { nearNames } from '@logtool/kube/src/values/near-names.ts';
import type { FlagSuggestion } from '../failures.ts';
import { usageFailure } from '../messages/errors.ts';
import { type Flag, type FlagUse, findFlag, type RawArguments } from './flag.ts';
import { adviceForOtherMeaning } from './other-letters.ts';
import { FLAGS, flagsOf } from './table.ts';

const INTEGER = /^[+-]?\d+$/;

/**
 * Separates the arguments of one command as pflag (kubectl's parser) does: `--x=v`, `--x v`, `-xv`, `-x v`,
 * `-x=v`, clustered shorts, `--no-x` for booleans, `--` ends the flags. Does not interpret values, except
 * that a bare flag with an optional count takes a following integer. Throws a usage error for unknown flags
 * and missing values.
 */
export function parseArguments(command: string, argv: readonly string[]): RawArguments {
  const parser = new Parser(command, argv);
  parser.run();
  return { command, positionals: parser.positionals, flags: parser.uses };
}

class Parser {
  readonly positionals: string[] = [];
  readonly uses = new Map<string, FlagUse[]>();
  readonly #command: string;
  readonly #argv: readonly string[];
  readonly #flags: readonly Flag[];
  #next = 0;

  constructor(command: string, argv: readonly string[]) {
    this.#command = command;
    this.#argv = argv;
    this.#flags = flagsOf(command);
  }

  run(): void {
    while (this.#next < this.#argv.length) {
      const argument = this.#argv[this.#next++] ?? '';
      if (argument === '--') {
        this.positionals.push(...this.#argv.slice(this.#next));
        return;
      }
      if (argument.startsWith('--')) this.#long(argument);
      else if (argument.startsWith('-') && argument !== '-') this.#cluster(argument);
      else this.positionals.push(argument);
    }
  }

  #long(argument: string): void {
    const equals = argument.indexOf('=');
    const name = equals < 0 ? argument.slice(2) : argument.slice(2, equals);
    const value = equals < 0 ? undefined : argument.slice(equals + 1);
    const flag = findFlag(this.#flags, name);
    if (flag !== undefined) {
      this.#take(flag, `--${name}`, value);
      return;
    }
    const negated = name.startsWith('no-') ? findFlag(this.#flags, name.slice(3)) : undefined;
    if (negated?.value.kind === 'boolean' && value === undefined) {
      this.#use(negated, 'false');
      return;
    }
    throw this.#unknown(`--${name}`, name);
  }

  #cluster(argument: string): void {
    for (let at = 1; at < argument.length; at++) {
      const letter = argument[at] ?? '';
      const flag = this.#flags.find((each) => each.short === letter);
      if (flag === undefined) {
        throw this.#unknown(`-${[...argument.slice(at)][0]}`, argument.slice(1));
      }
      const rest = argument.slice(at + 1);
      if (rest === '' || rest.startsWith('=')) {
        this.#take(flag, `-${letter}`, rest === '' ? undefined : rest.slice(1));
        return;
      }
      if (!isOptional(flag) || (flag.value.kind === 'count' && /^[+-]?\d/.test(rest))) {
        this.#take(flag, `-${letter}`, rest);
        return;
      }
      this.#use(flag, undefined);
    }
  }

  /** `value` undefined: the same argument has no value, so the next argument may be it. */
  #take(flag: Flag, written: string, value: string | undefined): void {
    if (value !== undefined) {
      this.#use(flag, value);
      return;
    }
    const following = this.#argv[this.#next];
    const isInteger = following !== undefined && INTEGER.test(following);
    const wanted = flag.value.kind === 'count' && isInteger;
    if (!isInteger) this.#checkLetter(flag, written);
    if (isOptional(flag) && !wanted) {
      this.#use(flag, undefined);
      return;
    }
    if (following === undefined) {
      throw usageFailure('flag-needs-value', { command: this.#command, written });
    }
    this.#next++;
    this.#use(flag, following);
  }

  /** Throws for a letter that takes a number but got none: the user may mean another tool's flag. */
  #checkLetter({ name, short, value, doc }: Flag, written: string): void {
    if (short === undefined || written !== `-${short}` || value.kind !== 'count' || value.optional) return;
    const advice = adviceForOtherMeaning(this.#command, short);
    if (advice === undefined) return;
    throw usageFailure('letter-needs-number', { written, name, doc, advice });
  }

  /** Messages about values name the long flag, whichever form the user typed. */
  #use(flag: Flag, value: string | undefined): void {
    const use: FlagUse = { written: `--${flag.name}`, value };
    const uses = this.uses.get(flag.name);
    if (uses === undefined) this.uses.set(flag.name, [use]);
    else uses.push(use);
  }

  #unknown(written: string, name: string): Error {
    return usageFailure('unknown-flag', {
      command: this.#command,
      written,
      suggestion: this.#suggestion(name),
    });
  }

  #suggestion(name: string): FlagSuggestion {
    const other = this.#flags.find((flag) => flag.otherNames?.includes(name))?.name;
    const names = this.#flags.flatMap((flag) => [flag.name, ...(flag.aliases ?? [])]);
    // Every short name is close to a single letter.
    const near = other ?? (name.length === 1 ? undefined : nearNames(name, names, 1)[0]);
    if (near !== undefined)
      return { kind: 'near', name: near, value: /^no-colou?r$/.test(name) ? 'never' : undefined };
    const elsewhere = FLAGS.find((flag) => flag.short === name || findFlag([flag], name) !== undefined);
    return { kind: this.#command === '' && elsewhere !== undefined ? 'after-command' : 'none' };
  }
}

/** Whether the flag may have no value. */
export function isOptional(flag: Flag): boolean {
  const { value } = flag;
  return (
    value.kind === 'boolean' ||
    (value.kind === 'count' && value.optional) ||
    (value.kind === 'choice' && value.bare !== undefined)
  );
}

import { sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import type { Candidate, Offer } from './candidate.ts';
import { type Headed, openQuote, quotedForBash } from './shell-quotes.ts';

/** The caller. `kubectl` and shells that it completes for insert words into a command line unquoted. */
export type Asker = 'kubectl' | 'bash' | 'zsh' | 'fish' | 'powershell';

/** Directives, bits of a number, as those of cobra (completions.go), which kubectl reads. */
const NO_SPACE = 2;
const NO_FILES = 4;
/** Of ours: values are what follows the last sign of the word. */
const REST = 64;
const MAX_DESCRIPTION_LENGTH = 100;

/** Characters that a terminal must not get, and those that would break the lines of the answer. */
const UNSHOWABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
/** What no shell gives a meaning to inside a word. */
const UNQUOTED = /^[\w./:=@%+,-]*$/;

/** Parts of a word that stay as they were typed. */
export interface Unchanged {
  /** As far as its last sign, if it contains a variable. */
  readonly head?: Headed | undefined;
  /** What bash itself leaves, and wants values without: as far as its last colon, equal sign or opening quote. */
  readonly kept?: Headed | undefined;
}

/**
 * The answer to a shell: a line `value<TAB>description` for each candidate, and a last one `:DIRECTIVE`. Names that
 * cannot be shown or quoted are left out. `word` is the one at the cursor, with its quotes.
 */
export function answerFor(
  asker: Asker,
  argument: string,
  { candidates, isOpen, files }: Offer,
  unchanged: Unchanged = {},
): string {
  const values = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const value = inserted(asker, argument, candidate.value, unchanged);
    if (value !== undefined && !values.has(value)) values.set(value, candidate);
  }
  const open =
    isOpen === true || (values.size > 0 && [...values.values()].every(({ value }) => goesOn(value)));
  const isRest = unchanged.head !== undefined && asker === 'zsh';
  const directive = files === true ? 0 : NO_FILES + (open ? NO_SPACE : 0) + (isRest ? REST : 0);
  const lines = [...values].map(([value, { meaning }]) =>
    meaning === undefined ? value : `${value}\t${brief(meaning)}`,
  );
  return [...lines, `:${directive}`, ''].join('\n');
}

/** A kind or a namespace, before a name. */
function goesOn(value: string): boolean {
  return /[/:=]$/.test(value);
}

function spelled(asker: Asker, argument: string, value: string): string | undefined {
  if (value === '' || value.startsWith(':') || UNSHOWABLE.test(value)) return undefined;
  if (asker === 'bash') return quotedForBash(value, openQuote(argument));
  return asker !== 'kubectl' || UNQUOTED.test(value) ? value : undefined;
}

/**
 * What a shell replaces in the word: fish all of it, zsh what follows its head, bash what it does not keep.
 */
function inserted(
  asker: Asker,
  argument: string,
  value: string,
  { head, kept }: Unchanged,
): string | undefined {
  const fixed = head ?? kept;
  if (fixed === undefined) return spelled(asker, argument, value);
  if (!value.startsWith(fixed.text)) return undefined;
  const rest = spelled(asker, argument, value.slice(fixed.text.length));
  if (rest === undefined || asker === 'zsh') return rest;
  const whole = fixed.typed + rest;
  // An open quote is kept by the shell.
  if (kept === undefined) return whole.replace(/^['"]/, '');
  const completed = whole.startsWith(kept.typed) ? whole.slice(kept.typed.length) : ':';
  return completed.startsWith(':') ? undefined : completed;
}

function brief(text: string): string {
  const line = sanitizeText(text).replaceAll('\t', ' ');
  return line.length > MAX_DESCRIPTION_LENGTH ? `${line.slice(0, MAX_DESCRIPTION_LENGTH - 3)}...` : line;
}

import { sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import type { Candidate, Offer } from './candidate.ts';
import { type Headed, openQuote, quotedForBash } from './shell-quotes.ts';

/** The caller. `kubectl` and the shells it completes for insert words into a command line unquoted. */
export type Asker = 'kubectl' | 'bash' | 'zsh' | 'fish' | 'powershell';

/** Directives as bits of a number, the same as cobra's (completions.go), which kubectl reads. */
const NO_SPACE = 2;
const NO_FILES = 4;
/** logtool's own: values replace only the text after the word's last separator. */
const REST = 64;
const MAX_DESCRIPTION_LENGTH = 100;

/** Characters that must not reach a terminal, and those that would break the lines of the answer. */
const UNSHOWABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
/** Characters without a special meaning inside a word in any shell. */
const UNQUOTED = /^[\w./:=@%+,-]*$/;

/** Parts of a word that stay as typed. */
export interface Unchanged {
  /** The word up to its last separator, if it contains a variable. */
  readonly head?: Headed | undefined;
  /**
   * The part that bash keeps and that values must omit: up to the last colon, equal sign or opening quote.
   */
  readonly kept?: Headed | undefined;
}

/**
 * Formats the answer to a shell: a line `value<TAB>description` for each candidate, then a line `:DIRECTIVE`.
 * Omits names that cannot be shown or quoted. `argument` is the word at the cursor, with its quotes.
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

/** Whether the value is a kind or a namespace, which a name follows. */
function goesOn(value: string): boolean {
  return /[/:=]$/.test(value);
}

function spelled(asker: Asker, argument: string, value: string): string | undefined {
  if (value === '' || value.startsWith(':') || UNSHOWABLE.test(value)) return undefined;
  if (asker === 'bash') return quotedForBash(value, openQuote(argument));
  return asker !== 'kubectl' || UNQUOTED.test(value) ? value : undefined;
}

/**
 * Returns what the shell inserts: fish replaces the whole word, zsh the text after its head, bash what it
 * does not keep.
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
  // The shell keeps an open quote.
  if (kept === undefined) return whole.replace(/^['"]/, '');
  const completed = whole.startsWith(kept.typed) ? whole.slice(kept.typed.length) : ':';
  return completed.startsWith(':') ? undefined : completed;
}

function brief(text: string): string {
  const line = sanitizeText(text).replaceAll('\t', ' ');
  return line.length > MAX_DESCRIPTION_LENGTH ? `${line.slice(0, MAX_DESCRIPTION_LENGTH - 3)}...` : line;
}

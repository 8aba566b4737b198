import { findSpans, type Span } from '../../domain/find-spans.ts';
import { filterFailure, type PatternUse } from '../../domain/patterns/filter-failures.ts';
import { findPatternFault } from '../../domain/patterns/pattern-fault.ts';
import { holdsText, MAX_QUICK_BYTES } from './find-text.ts';
import { requiredText } from './required-text.ts';

/** A compiled pattern. */
export interface Pattern {
  /** Whether any part of the bytes matches. Invalid UTF-8 counts as U+FFFD. */
  readonly test: (message: Buffer) => boolean;
  /** Bytes that every match contains; undefined if none are known. */
  readonly needle: Buffer | undefined;
  /**
   * Returns the nonempty matches from left to right, none inside another: see domain/find-spans.ts for their maximum
   * number.
   */
  readonly spans: (text: string) => readonly Span[];
}

/**
 * Compiles RE2 text (https://github.com/google/re2/wiki/Syntax): its time is linear in the message, whatever the
 * pattern. Text without operators is searched as bytes, without loading the engine. Throws the usage error
 * `bad-pattern`, which names `use`.
 */
export async function compilePattern(text: string, ignoreCase: boolean, use: PatternUse): Promise<Pattern> {
  const literal = ignoreCase ? undefined : literalOf(text);
  if (literal !== undefined) return literalPattern(literal);
  const { RE2JS } = await import('re2js');
  try {
    const regex = RE2JS.compile(text, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
    return {
      needle: needleOf(text, ignoreCase),
      // Searching a string is about twice as fast as searching bytes, including the conversion.
      test: (message) => regex.test(message.toString('utf8')),
      spans: (given) => findSpans(regex.matcher(given), given.length),
    };
  } catch (error) {
    const fault = findPatternFault(text, error, (prefix) => RE2JS.compile(prefix));
    throw filterFailure('bad-pattern', { use, pattern: text, fault }, { exit: 'usage', cause: error });
  }
}

/** Returns the text of a pattern without operators; undefined for every other pattern. */
export function literalOf(pattern: string): string | undefined {
  let text = '';
  for (let index = 0; index < pattern.length; index++) {
    let character = pattern[index] ?? '';
    if ('.+*?()|[]{}^$'.includes(character)) return undefined;
    if (character === '\\') {
      character = pattern[++index] ?? '';
      // Only punctuation is literal after a backslash; letters and digits have a meaning there.
      if (!/^[!-/:-@[-`{-~]$/.test(character)) return undefined;
    }
    text += character;
  }
  // A lone surrogate has no bytes of its own.
  return /\p{Cs}/u.test(text) ? undefined : text;
}

/**
 * Returns bytes that every match of an expression contains, if known: mostly this shows at once that a message cannot
 * match.
 */
export function needleOf(expression: string, ignoreCase: boolean): Buffer | undefined {
  const text = ignoreCase ? undefined : requiredText(expression);
  return text === undefined ? undefined : needleFrom(text);
}

/** Returns the beginning of a required text: the whole of a long one would take long to find. */
function needleFrom(text: string): Buffer {
  return Buffer.from(text, 'utf8').subarray(0, MAX_QUICK_BYTES);
}

function literalPattern(literal: string): Pattern {
  const bytes = Buffer.from(literal, 'utf8');
  return {
    needle: literal === '' ? undefined : needleFrom(literal),
    test: (message) => holdsText(message, bytes),
    spans: (text) => {
      const found: Span[] = [];
      if (literal === '') return found;
      for (let at = text.indexOf(literal); at !== -1; at = text.indexOf(literal, at + literal.length)) {
        found.push({ start: at, end: at + literal.length });
      }
      return found;
    },
  };
}

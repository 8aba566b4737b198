import { LEVELS, type Level } from '../../domain/filter.ts';
import { levelOfWord } from '../../domain/level-words.ts';

/** One part of what is searched; all must hold. */
export type Term =
  | { readonly kind: 'word'; readonly text: string; readonly not: boolean }
  | { readonly kind: 'level'; readonly levels: readonly Level[]; readonly not: boolean }
  | { readonly kind: 'json'; readonly path: string; readonly value: string; readonly not: boolean };

const TERM = /(-?)(?:(@[^\s:"]+):(?:"((?:[^"\\]|\\.)*)"?|(\S*))|"((?:[^"\\]|\\.)*)"?|(\S+))/gy;

/**
 * Reads a search as it is typed: words (all must be there), `"quoted words"`, `-word`, `@level:error,warn`,
 * `@json.path:value` (`@path:value` for short). Never fails: what is no term is a word. A backslash in quotes makes the
 * next sign literal.
 */
export function parseSearch(text: string): readonly Term[] {
  const terms: Term[] = [];
  const trimmed = text.trim();
  TERM.lastIndex = 0;
  while (TERM.lastIndex < trimmed.length) {
    const blank = /\s*/y;
    blank.lastIndex = TERM.lastIndex;
    blank.exec(trimmed);
    TERM.lastIndex = blank.lastIndex;
    const match = TERM.exec(trimmed);
    if (match === null) break;
    const [whole, dash, name, quotedValue, bareValue, quoted, word = ''] = match;
    const not = dash === '-' && whole !== '-';
    if (name !== undefined) {
      terms.push(fieldTerm(name.slice(1), unescaped(quotedValue ?? bareValue ?? ''), not));
    } else if (quoted !== undefined) {
      if (quoted !== '') terms.push({ kind: 'word', text: unescaped(quoted), not });
    } else {
      terms.push({ kind: 'word', text: not ? word : `${dash}${word}`, not });
    }
  }
  return terms;
}

function fieldTerm(name: string, value: string, not: boolean): Term {
  if (name === 'level') {
    const levels = value
      .split(',')
      .flatMap((each) => levelOfWord(each) ?? LEVELS.find((l) => l === each) ?? []);
    return { kind: 'level', levels, not };
  }
  return { kind: 'json', path: name.startsWith('json.') ? name.slice(5) : name, value, not };
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, '$1');
}

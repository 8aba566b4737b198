/** Escapes of one letter that mean a class or a position, never literal text. */
const CLASS_OR_ANCHOR = /^[dDsSwWbBAzC]$/;
const REPETITION = /^\{\d+(?:,\d*)?\}/;
const SIGN = /^[!-/:-@[-`{-~]$/;

/**
 * Returns the longest text that every match of an RE2 pattern contains, as far as it is visible outside of groups and
 * classes; undefined if there is none, or if the pattern uses syntax that this does not read. Requires a valid,
 * case-sensitive pattern.
 */
export function requiredText(pattern: string): string | undefined {
  // Flags change the meaning of what follows; invalid bytes count as U+FFFD; a surrogate has no bytes of its own.
  if (/\(\?[^:P<]|\\[QE]|\ufffd|\p{Cs}/u.test(pattern)) return undefined;
  const text = new LongestText();
  for (let index = 0; index < pattern.length; ) {
    const end = readPiece(pattern, index, text);
    if (end === undefined) return undefined;
    index = end;
  }
  return text.longest;
}

/** Finds the longest run of characters that are adjacent in every match. */
class LongestText {
  #longest = '';
  #run = '';

  get longest(): string | undefined {
    this.endRun();
    return this.#longest === '' ? undefined : this.#longest;
  }

  add(text: string): void {
    this.#run += text;
  }

  /** Ends the run: what comes next is not a certain text. */
  endRun(): void {
    if (this.#run.length > this.#longest.length) this.#longest = this.#run;
    this.#run = '';
  }

  /** Handles a repetition of the last character, which may be absent from a match, or repeated. */
  repeatLast(isNeeded: boolean): void {
    if (!isNeeded) this.#run = Array.from(this.#run).slice(0, -1).join('');
    this.endRun();
  }
}

/** Reads the piece of the pattern at `index`; returns its end, undefined if it is unreadable. */
function readPiece(pattern: string, index: number, text: LongestText): number | undefined {
  const character = String.fromCodePoint(pattern.codePointAt(index)!);
  switch (character) {
    case '|':
      return undefined;
    case '(':
    case '[':
      text.endRun();
      return character === '(' ? groupEnd(pattern, index) : classEnd(pattern, index);
    case '\\':
      return readEscape(pattern, index, text);
    case '*':
    case '+':
    case '?':
      text.repeatLast(character === '+');
      return index + 1;
    case '{':
      text.repeatLast(false);
      return index + (REPETITION.exec(pattern.slice(index, index + 20))?.[0].length ?? 1);
    case '.':
    case '^':
    case '$':
      text.endRun();
      return index + 1;
    default:
      text.add(character);
      return index + character.length;
  }
}

function readEscape(pattern: string, index: number, text: LongestText): number | undefined {
  const escaped = pattern[index + 1] ?? '';
  if (SIGN.test(escaped)) text.add(escaped);
  else if (CLASS_OR_ANCHOR.test(escaped)) text.endRun();
  else return undefined;
  return index + 2;
}

/** Returns the offset after the group at `start`. */
function groupEnd(pattern: string, start: number): number | undefined {
  let depth = 0;
  for (let index = start; index < pattern.length; ) {
    const character = pattern[index]!;
    if (character === '[') {
      const end = classEnd(pattern, index);
      if (end === undefined) return undefined;
      index = end;
      continue;
    }
    if (character === '\\') index++;
    else if (character === '(') depth++;
    else if (character === ')' && --depth === 0) return index + 1;
    index++;
  }
  return undefined;
}

/** Returns the offset after the class at `start`; a leading `]` is part of it, as are `[:names:]`. */
function classEnd(pattern: string, start: number): number | undefined {
  let index = start + 1;
  if (pattern[index] === '^') index++;
  if (pattern[index] === ']') index++;
  while (index < pattern.length) {
    if (pattern[index] === ']') return index + 1;
    if (pattern.startsWith('[:', index)) {
      const end = pattern.indexOf(':]', index + 2);
      // A bracket that only looks like the beginning of a name.
      index = end === -1 || !/^\^?\w+$/.test(pattern.slice(index + 2, end)) ? index + 1 : end + 2;
    } else {
      index += pattern[index] === '\\' ? 2 : 1;
    }
  }
  return undefined;
}

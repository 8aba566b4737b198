/** Escapes of one letter that stand for a class or a place, never for text of their own. */
const CLASS_OR_PLACE = /^[dDsSwWbBAzC]$/;
const REPETITION = /^\{\d+(?:,\d*)?\}/;
const SIGN = /^[!-/:-@[-`{-~]$/;

/**
 * The longest text that every match of an RE2 pattern holds as it is, as far as it shows outside of groups and
 * classes; undefined where there is none, or where the pattern says something that this does not read. For a pattern
 * that compiles, and that heeds the case of letters.
 */
export function requiredText(pattern: string): string | undefined {
  // Flags change the meaning of what follows; invalid bytes count as U+FFFD; a surrogate has no bytes of its own.
  if (/\(\?[^:P<]|\\[QE]|\ufffd|\p{Cs}/u.test(pattern)) return undefined;
  let longest = '';
  let run = '';
  const endRun = () => {
    if (run.length > longest.length) longest = run;
    run = '';
  };
  /** What came last may be left out of a match, or be there more often. */
  const repeatLast = (isNeeded: boolean) => {
    if (!isNeeded) run = Array.from(run).slice(0, -1).join('');
    endRun();
  };
  for (let index = 0; index < pattern.length; ) {
    const character = String.fromCodePoint(pattern.codePointAt(index)!);
    const rest = pattern.slice(index, index + 20);
    if (character === '|') return undefined;
    if (character === '(' || character === '[') {
      const end = character === '(' ? groupEnd(pattern, index) : classEnd(pattern, index);
      if (end === undefined) return undefined;
      endRun();
      index = end;
    } else if (character === '\\') {
      const escaped = pattern[index + 1] ?? '';
      if (SIGN.test(escaped)) run += escaped;
      else if (CLASS_OR_PLACE.test(escaped)) endRun();
      else return undefined;
      index += 2;
    } else if ('*?+'.includes(character)) {
      repeatLast(character === '+');
      index++;
    } else if (character === '{') {
      const repetition = REPETITION.exec(rest)?.[0];
      repeatLast(false);
      index += repetition?.length ?? 1;
    } else {
      if ('.^$'.includes(character)) endRun();
      else run += character;
      index += character.length;
    }
  }
  endRun();
  return longest === '' ? undefined : longest;
}

/** The place behind the group that begins there. */
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

/** The place behind the class that begins there; a `]` in front is part of it, as are `[:names:]`. */
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

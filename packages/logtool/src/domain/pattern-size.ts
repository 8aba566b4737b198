import { classCost } from './pattern-class.ts';

/** A class of Unicode (`\pL`): its hundreds of ranges are read when the pattern is compiled. */
const UNICODE_CLASS = 64;
/** `\{2}`, `{2,}`, `{2,5}`. */
const REPETITION = /\{(\d{1,6})(?:,(\d{0,6}))?\}/y;
/** What follows `(`: flags, a name, or the sign of a look-around. */
const GROUP_HEAD = /\?(?:P?<\w*>|[A-Za-z-]*:?|<?[=!])/y;
/** `\x{10FFFF}`, `\pL`, `\P{Greek}`, or any single character. */
const ESCAPE = /\\(?:[pP](?:\{[^}]*\}|.)|x\{[^}]*\}|.)/suy;
const FOLDING = /\(\?[A-Za-z-]*i/;

interface Group {
  /** Instructions of all that is complete in it, the last atom aside. */
  size: number;
  /** Of what a repetition repeats. */
  last: number;
}

/**
 * About how large a pattern of RE2 is once compiled, in instructions of the engine: never fewer than it makes, and more
 * for character classes that take long to compile. Compiling takes time in proportion to it, and matching a line at
 * worst in proportion to it times the length of the line. Reads the text once; text that is no pattern has a size too.
 */
export function patternSize(pattern: string, ignoreCase: boolean): number {
  const folds = ignoreCase || FOLDING.test(pattern);
  const groups: Group[] = [{ size: 3, last: 0 }];
  let group = groups[0]!;
  /** What is compiled once, however often it is repeated. */
  let once = 0;
  const add = (size: number) => {
    group.size += group.last;
    group.last = size;
  };
  const matchAt = (expression: RegExp, index: number) => {
    expression.lastIndex = index;
    return expression.exec(pattern);
  };
  for (let index = 0; index < pattern.length; ) {
    const character = pattern[index]!;
    if (character === '(') {
      groups.push({ size: 3, last: 0 });
      group = groups.at(-1)!;
      index += 1 + (matchAt(GROUP_HEAD, index + 1)?.[0].length ?? 0);
    } else if (character === ')') {
      const { size, last } = groups.length > 1 ? groups.pop()! : { size: 0, last: 0 };
      group = groups.at(-1)!;
      add(size + last);
      index++;
    } else if (character === '[') {
      const { end, cost } = classCost(pattern, index, folds);
      once += cost;
      add(1);
      index = end;
    } else if (pattern.startsWith('\\Q', index)) {
      const end = pattern.indexOf('\\E', index + 2);
      const length = (end === -1 ? pattern.length : end) - index - 2;
      add(length);
      // Only the last character is repeated, but which it is need not be known.
      index = end === -1 ? pattern.length : end + 2;
    } else if (character === '\\') {
      const sign = matchAt(ESCAPE, index)?.[0] ?? character;
      if (/^\\[pP]/.test(sign)) once += UNICODE_CLASS;
      add(1);
      index += sign.length;
    } else if (character === '|') {
      add(2);
      add(0);
      index++;
    } else if ('*+?'.includes(character)) {
      group.last += 2;
      index++;
    } else {
      const repetition = character === '{' ? matchAt(REPETITION, index) : null;
      if (repetition === null) add(1);
      else group.last = repeated(group.last, repetition[1]!, repetition[2]);
      index += repetition?.[0].length ?? 1;
    }
  }
  const instructions = groups.reduce((sum, { size, last }) => sum + size + last, 0);
  return Math.ceil(instructions + once);
}

/** `x{2,4}` is compiled as `xx(x(x)?)?`, `x{2,}` as `xx+`. */
function repeated(size: number, least: string, most: string | undefined): number {
  const needed = Number(least);
  const optional = Math.max(0, Number(most ?? 0) - needed);
  return Math.max(1, needed) * size + optional * (size + 1) + 3;
}

import { classCost } from './pattern-class.ts';

/** A Unicode class (`\pL`): the compiler reads its hundreds of ranges. */
const UNICODE_CLASS = 64;
/** `\{2}`, `{2,}`, `{2,5}`. */
const REPETITION = /\{(\d{1,6})(?:,(\d{0,6}))?\}/y;
/** What follows `(`: flags, a name, or the sign of a lookaround. */
const GROUP_HEAD = /\?(?:P?<\w*>|[A-Za-z-]*:?|<?[=!])/y;
/** `\x{10FFFF}`, `\pL`, `\P{Greek}`, or any single character. */
const ESCAPE = /\\(?:[pP](?:\{[^}]*\}|.)|x\{[^}]*\}|.)/suy;
const FOLDING = /\(\?[A-Za-z-]*i/;

interface Group {
  /** Instructions of all complete parts, except the last atom. */
  size: number;
  /** Instructions of the last atom, which a repetition would repeat. */
  last: number;
}

/**
 * Estimates the size of a compiled RE2 pattern, in instructions of the engine: never fewer than the engine makes, and
 * more for character classes that take long to compile. Compile time is proportional to it, and the time to match a
 * line is at worst proportional to it times the length of the line. Reads the text once; invalid patterns have a size
 * too.
 */
export function patternSize(pattern: string, ignoreCase: boolean): number {
  const meter = new PatternMeter(pattern, ignoreCase || FOLDING.test(pattern));
  for (let index = 0; index < pattern.length; ) index = meter.read(index);
  return meter.size;
}

/** Reads a pattern piece by piece, and adds up the size of each. */
class PatternMeter {
  readonly #pattern: string;
  readonly #folds: boolean;
  /** The open groups, the innermost last. */
  readonly #groups: Group[] = [{ size: 3, last: 0 }];
  /** Instructions that are compiled once, however often they are repeated. */
  #once = 0;

  constructor(pattern: string, folds: boolean) {
    this.#pattern = pattern;
    this.#folds = folds;
  }

  /** Instructions of everything read so far. */
  get size(): number {
    const instructions = this.#groups.reduce((sum, { size, last }) => sum + size + last, 0);
    return Math.ceil(instructions + this.#once);
  }

  /** Reads the piece at `index`; returns the offset of the next one. */
  read(index: number): number {
    const character = this.#pattern[index]!;
    switch (character) {
      case '(':
        this.#groups.push({ size: 3, last: 0 });
        return index + 1 + (this.#matchAt(GROUP_HEAD, index + 1)?.[0].length ?? 0);
      case ')':
        return this.#endGroup(index);
      case '[':
        return this.#readClass(index);
      case '\\':
        return this.#pattern.startsWith('\\Q', index) ? this.#readQuoted(index) : this.#readEscape(index);
      case '|':
        this.#add(2);
        this.#add(0);
        return index + 1;
      case '*':
      case '+':
      case '?':
        this.#group.last += 2;
        return index + 1;
      case '{':
        return this.#readRepetition(index);
      default:
        this.#add(1);
        return index + 1;
    }
  }

  get #group(): Group {
    return this.#groups.at(-1)!;
  }

  #add(size: number): void {
    const group = this.#group;
    group.size += group.last;
    group.last = size;
  }

  #matchAt(expression: RegExp, index: number): RegExpExecArray | null {
    expression.lastIndex = index;
    return expression.exec(this.#pattern);
  }

  #endGroup(index: number): number {
    const { size, last } = this.#groups.length > 1 ? this.#groups.pop()! : { size: 0, last: 0 };
    this.#add(size + last);
    return index + 1;
  }

  #readClass(index: number): number {
    const { end, cost } = classCost(this.#pattern, index, this.#folds);
    this.#once += cost;
    this.#add(1);
    return end;
  }

  /** Only the last character is repeated, but its size does not depend on which it is. */
  #readQuoted(index: number): number {
    const end = this.#pattern.indexOf('\\E', index + 2);
    this.#add((end === -1 ? this.#pattern.length : end) - index - 2);
    return end === -1 ? this.#pattern.length : end + 2;
  }

  #readEscape(index: number): number {
    const sign = this.#matchAt(ESCAPE, index)?.[0] ?? '\\';
    if (/^\\[pP]/.test(sign)) this.#once += UNICODE_CLASS;
    this.#add(1);
    return index + sign.length;
  }

  #readRepetition(index: number): number {
    const repetition = this.#matchAt(REPETITION, index);
    if (repetition === null) this.#add(1);
    else this.#group.last = repeated(this.#group.last, repetition[1]!, repetition[2]);
    return index + (repetition?.[0].length ?? 1);
  }
}

/** Returns the size of a repetition: `x{2,4}` is compiled as `xx(x(x)?)?`, `x{2,}` as `xx+`. */
function repeated(size: number, least: string, most: string | undefined): number {
  const needed = Number(least);
  const optional = Math.max(0, Number(most ?? 0) - needed);
  return Math.max(1, needed) * size + optional * (size + 1) + 3;
}

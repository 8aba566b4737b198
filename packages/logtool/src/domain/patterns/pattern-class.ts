/**
 * If case is ignored, the compiler looks up each character of a range: this many take as long to compile as an
 * instruction.
 */
const FOLDED_CHARACTERS = 32;
/**
 * Outside this range no letter has another case; the compiler skips a range that covers all of them (Unicode 16,
 * CaseFolding).
 */
const MIN_FOLD = 0x41;
const MAX_FOLD = 0x1e943;
/** A Unicode class (`\pL`): hundreds of ranges. */
const UNICODE_CLASS = 64;
/** `\d`, `[:alpha:]`. */
const NAMED_CLASS = 1;
/** Number of members that take as long as an instruction. */
const MEMBERS = 8;

const NAME = /\[:\^?\w+:\]/y;
const MEMBER =
  /\\(?<unicode>[pP](?:\{[^}]*\}|.))|\\(?<named>[dDsSwW])|\\x\{(?<hex>[0-9A-Fa-f]+)\}|\\x(?<hex2>[0-9A-Fa-f]{2})|\\(?<octal>[0-7]{1,3})|\\(?<sign>.)|(?<plain>.)/suy;

/** Returns the cost of compiling a class, in instructions, and its end. `start` is the offset of its bracket. */
export function classCost(
  pattern: string,
  start: number,
  folds: boolean,
): { readonly end: number; readonly cost: number } {
  let cost = 0;
  let index = start + 1;
  if (pattern[index] === '^') index++;
  /** The first member may be a bracket. */
  for (let isFirst = true; index < pattern.length; isFirst = false) {
    if (pattern[index] === ']' && !isFirst) return { end: index + 1, cost };
    NAME.lastIndex = index;
    const name = NAME.exec(pattern)?.[0];
    if (name !== undefined) {
      cost += NAMED_CLASS;
      index += name.length;
      continue;
    }
    const low = readMember(pattern, index);
    index = low.end;
    if (low.character === undefined) {
      cost += low.cost;
      continue;
    }
    let high = low.character;
    if (pattern[index] === '-' && pattern[index + 1] !== ']' && index + 1 < pattern.length) {
      const member = readMember(pattern, index + 1);
      index = member.end;
      cost += member.cost;
      high = member.character ?? MAX_FOLD;
    }
    cost += 1 / MEMBERS + (folds ? foldedCost(low.character, high) : 0);
  }
  return { end: pattern.length, cost };
}

function foldedCost(low: number, high: number): number {
  return Math.max(0, Math.min(high, MAX_FOLD) - Math.max(low, MIN_FOLD)) / FOLDED_CHARACTERS;
}

interface Member {
  readonly end: number;
  /** Undefined: it is itself a class. */
  readonly character: number | undefined;
  readonly cost: number;
}

function readMember(pattern: string, index: number): Member {
  MEMBER.lastIndex = index;
  const found = MEMBER.exec(pattern);
  const end = index + (found?.[0].length ?? 1);
  const { unicode, named, hex, hex2, octal, sign, plain } = found?.groups ?? {};
  if (unicode !== undefined) return { end, character: undefined, cost: UNICODE_CLASS };
  if (named !== undefined) return { end, character: undefined, cost: NAMED_CLASS };
  const digits = hex ?? hex2;
  if (digits !== undefined) return { end, character: Number.parseInt(digits, 16), cost: 0 };
  if (octal !== undefined) return { end, character: Number.parseInt(octal, 8), cost: 0 };
  return { end, character: (sign ?? plain ?? '').codePointAt(0) ?? 0, cost: 0 };
}

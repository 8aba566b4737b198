/** Where a pattern is wrong, in UTF-16 units, and the engine's reason. */
export interface PatternFault {
  readonly index: number;
  readonly why: string;
}

/**
 * Finds the fault. The engine reports the piece that failed but not its position. The shortest prefix of the pattern
 * that fails in the same way ends with that piece. The engine reads from left to right, so longer prefixes fail in that
 * way too: bisection takes a few compilations, however long the pattern is.
 */
export function findPatternFault(
  pattern: string,
  error: unknown,
  compile: (pattern: string) => unknown,
): PatternFault {
  const { why, piece } = readError(error);
  if (why === 'missing closing )') return { index: unmatched(pattern, '('), why };
  if (why === 'unexpected )') return { index: unmatched(pattern, ')'), why };
  if (why.startsWith('trailing backslash')) return { index: pattern.length - 1, why };
  if (piece === undefined) return { index: 0, why };
  // The piece reaches to the end: prefixes of the pattern fail in the same way only from where the piece begins.
  if (why === 'missing closing ]') return { index: pattern.length - piece.length, why };
  const failsAt = (end: number) => {
    const failure = readError(errorOf(() => compile(pattern.slice(0, end))));
    return failure.why === why && failure.piece === piece;
  };
  let low = 0;
  let high = pattern.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (failsAt(middle)) high = middle;
    else low = middle;
  }
  const index = failsAt(high) ? high - piece.length : pattern.indexOf(piece);
  return { index: Math.max(0, index), why };
}

function errorOf(attempt: () => unknown): unknown {
  try {
    attempt();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Reads the failure. RE2JSSyntaxException has `error` (why) and `input` (the piece). */
function readError(error: unknown): { readonly why: string; readonly piece: string | undefined } {
  if (!(error instanceof Error)) return { why: '', piece: undefined };
  const why = 'error' in error && typeof error.error === 'string' ? error.error : error.message;
  const piece = 'input' in error && typeof error.input === 'string' ? error.input : undefined;
  return { why, piece };
}

/** Returns the offset of the first parenthesis without a partner, skipping escapes and classes. */
function unmatched(pattern: string, wanted: '(' | ')'): number {
  const open: number[] = [];
  for (let index = 0; index < pattern.length; index = pieceEnd(pattern, index)) {
    const character = pattern[index];
    if (character === '(') open.push(index);
    else if (character === ')' && open.pop() === undefined && wanted === ')') return index;
  }
  return open[0] ?? Math.max(0, pattern.length - 1);
}

/** Returns the end of the escape, class or single character that begins at `start`. */
function pieceEnd(pattern: string, start: number): number {
  const character = pattern[start];
  if (character === '[') return classEnd(pattern, start);
  if (character !== '\\') return start + 1;
  if (pattern[start + 1] !== 'Q') return start + 2;
  const end = pattern.indexOf('\\E', start + 2);
  return end === -1 ? pattern.length : end + 2;
}

function classEnd(pattern: string, start: number): number {
  let index = start + 1;
  // A bracket at the start of a class is one of its members.
  if (pattern[index] === '^') index++;
  if (pattern[index] === ']') index++;
  while (index < pattern.length && pattern[index] !== ']')
    index = pattern[index] === '\\' ? pieceEnd(pattern, index) : index + 1;
  return index + 1;
}

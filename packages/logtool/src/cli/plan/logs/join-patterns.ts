/**
 * Several RE2 patterns as one that matches where any of them does. Each must compile by itself. Names of groups are
 * left out: nothing asks for them, and two patterns may have the same one, which a single pattern may not.
 */
export function joinPatterns(patterns: readonly string[]): string {
  return patterns.length === 1 ? (patterns[0] ?? '') : patterns.map((each) => `(?:${group(each)})`).join('|');
}

/**
 * Skipped as a whole, so that nothing in it passes for a group: a quotation, with its end if it has one; an
 * escape; a class, in which a leading `]` and `[:names:]` do not end it. And the beginning of a named group.
 */
const PIECES = /\\Q(?:(?!\\E).)*(?:\\E)?|\\.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]|\(\?P?<\w+>/gsu;
const BRACKETS = /\\.|\[:\^?\w+:\]|\[/gsu;

function group(pattern: string): string {
  return pattern.replaceAll(PIECES, (piece) => {
    if (piece.startsWith('(')) return '(';
    // A construct that ends with the pattern (`\Qa.b`) must not include what is appended to it.
    if (piece.startsWith('\\Q')) return piece.endsWith('\\E') ? piece : `${piece}\\E`;
    // After `[:` in a class, any later `:]` passes for its end.
    if (piece.startsWith('['))
      return `[${piece.slice(1).replaceAll(BRACKETS, (found) => (found === '[' ? '\\[' : found))}`;
    return piece;
  });
}

/**
 * Several RE2 patterns as one that matches where any of them does. Each must compile by itself. Names of groups are
 * left out: nothing asks for them, and two patterns may have the same one, which a single pattern may not.
 */
export function joinPatterns(patterns: readonly string[]): string {
  return patterns.length === 1 ? (patterns[0] ?? '') : patterns.map((each) => `(?:${part(each)})`).join('|');
}

/**
 * What is passed over as a whole, so that nothing in it is taken for a group: a quotation, with its end where it has
 * one; an escape; a class, in which a `]` in front and `[:names:]` are no end. And the beginning of a named group.
 */
const PIECES = /\\Q(?:(?!\\E).)*(?:\\E)?|\\.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]|\(\?P?<\w+>/gsu;
const BRACKETS = /\\.|\[:\^?\w+:\]|\[/gsu;

function part(pattern: string): string {
  return pattern.replaceAll(PIECES, (piece) => {
    if (piece.startsWith('(')) return '(';
    // What ends with the pattern (`\Qa.b`) must not take in what is put behind it.
    if (piece.startsWith('\\Q')) return piece.endsWith('\\E') ? piece : `${piece}\\E`;
    // With `[:` in a class, a `:]` anywhere behind is taken for its end.
    if (piece.startsWith('['))
      return `[${piece.slice(1).replaceAll(BRACKETS, (found) => (found === '[' ? '\\[' : found))}`;
    return piece;
  });
}

/** How a part of a typed search is colored. `field`: `@level:`; `not`: `-word` or `-@level:`. */
export interface SearchPart {
  readonly kind: 'word' | 'not' | 'field' | 'value' | 'blank';
  readonly text: string;
}

/** Blanks, or a term as worker/search-query.ts reads it: dash, `@name:`, the rest. */
const PART = /(\s+)|(-?)(@[^\s:"]+:(?:"(?:[^"\\]|\\.)*"?|\S*)|"(?:[^"\\]|\\.)*"?|\S+)/gy;

/** The text of the search field in parts, which joined give it back. */
export function searchParts(text: string): readonly SearchPart[] {
  const parts: SearchPart[] = [];
  PART.lastIndex = 0;
  for (let match = PART.exec(text); match !== null; match = PART.exec(text)) {
    const [whole, blank, dash = '', term = ''] = match;
    if (blank !== undefined) {
      parts.push({ kind: 'blank', text: blank });
      continue;
    }
    const name = /^@[^\s:"]+:/.exec(term)?.[0];
    if (name === undefined) parts.push({ kind: dash === '-' && whole !== '-' ? 'not' : 'word', text: whole });
    else parts.push(...namedParts(dash, name, term.slice(name.length)));
  }
  return parts;
}

/** `@name:` with what follows it. */
function namedParts(dash: string, name: string, value: string): readonly SearchPart[] {
  const field: SearchPart = { kind: dash === '' ? 'field' : 'not', text: dash + name };
  return value === '' ? [field] : [field, { kind: 'value', text: value }];
}

/** What is before the wrong character of an expression, that character, and what is after it. */
export function splitAtFault(text: string, index: number): readonly [string, string, string] {
  const at = Math.min(Math.max(0, index), text.length);
  // A character of two units is marked as a whole.
  const length = (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return [text.slice(0, at), text.slice(at, at + length), text.slice(at + length)];
}

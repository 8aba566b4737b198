/** How a part of a typed search is colored. `field`: `@level:`; `not`: `-word` or `-@level:`. */
export interface SearchToken {
  readonly kind: 'text' | 'not' | 'field' | 'value' | 'blank';
  readonly text: string;
}

/** Blanks, or a term as domain/search/search-query.ts parses it: dash, `@name:`, the rest. */
const TOKEN = /(\s+)|(-?)(@[^\s:"]+:(?:"(?:[^"\\]|\\.)*"?|\S*)|"(?:[^"\\]|\\.)*"?|\S+)/gy;

/** Splits the text of the search field into parts; joined, they are the same text. */
export function searchTokens(text: string): readonly SearchToken[] {
  const tokens: SearchToken[] = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    const [whole, blank, dash = '', term = ''] = match;
    if (blank !== undefined) {
      tokens.push({ kind: 'blank', text: blank });
      continue;
    }
    const name = /^@[^\s:"]+:/.exec(term)?.[0];
    if (name === undefined)
      tokens.push({ kind: dash === '-' && whole !== '-' ? 'not' : 'text', text: whole });
    else tokens.push(...fieldTokens(dash, name, term.slice(name.length)));
  }
  return tokens;
}

/** Returns `@name:` and its value as tokens. */
function fieldTokens(dash: string, name: string, value: string): readonly SearchToken[] {
  const field: SearchToken = { kind: dash === '' ? 'field' : 'not', text: dash + name };
  return value === '' ? [field] : [field, { kind: 'value', text: value }];
}

/** Returns the text before the faulty character of an expression, that character, and the text after it. */
export function splitAtFault(text: string, index: number): readonly [string, string, string] {
  const at = Math.min(Math.max(0, index), text.length);
  // Mark a surrogate pair as a whole.
  const length = (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return [text.slice(0, at), text.slice(at, at + length), text.slice(at + length)];
}

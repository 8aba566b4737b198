/** Kinds of tokens inside and between actions (https://pkg.go.dev/text/template). Keywords are their own kinds. */
export type TokenKind =
  | 'error'
  | 'bool'
  | 'char'
  | 'character'
  | 'complex'
  | 'assign'
  | 'declare'
  | 'end-of-file'
  | 'field'
  | 'identifier'
  | 'left-delimiter'
  | 'left-paren'
  | 'number'
  | 'pipe'
  | 'raw-string'
  | 'right-delimiter'
  | 'right-paren'
  | 'space'
  | 'string'
  | 'text'
  | 'variable'
  | Keyword;

export type Keyword =
  | 'block'
  | 'break'
  | 'continue'
  | 'dot'
  | 'define'
  | 'else'
  | 'end'
  | 'if'
  | 'nil'
  | 'range'
  | 'template'
  | 'with';

export const KEYWORDS: ReadonlyMap<string, Keyword> = new Map([
  ['block', 'block'],
  ['break', 'break'],
  ['continue', 'continue'],
  ['define', 'define'],
  ['else', 'else'],
  ['end', 'end'],
  ['if', 'if'],
  ['nil', 'nil'],
  ['range', 'range'],
  ['template', 'template'],
  ['with', 'with'],
]);

const KEYWORD_KINDS: ReadonlySet<string> = new Set([...KEYWORDS.values(), 'dot']);

export interface Token {
  readonly kind: TokenKind;
  /** The start in the text, in UTF-16 units. */
  readonly at: number;
  readonly text: string;
  /** Line of the start, from one. */
  readonly line: number;
}

export function isKeyword(kind: TokenKind): boolean {
  return KEYWORD_KINDS.has(kind);
}

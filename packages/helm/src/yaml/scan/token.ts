import type { Directive, TagFields } from './scan-properties.ts';

export type TokenType =
  | 'stream-end'
  | 'directive'
  | 'document-start'
  | 'document-end'
  | 'block-sequence-start'
  | 'block-mapping-start'
  | 'block-end'
  | 'flow-sequence-start'
  | 'flow-sequence-end'
  | 'flow-mapping-start'
  | 'flow-mapping-end'
  | 'block-entry'
  | 'flow-entry'
  | 'key'
  | 'value'
  | 'alias'
  | 'anchor'
  | 'tag'
  | 'scalar';

export interface Token {
  readonly type: TokenType;
  /** From zero. */
  readonly line: number;
  /** The text of a scalar, or the name of an anchor or alias. */
  readonly text: string;
  readonly isPlain?: boolean;
  readonly tag?: TagFields;
  readonly directive?: Directive;
}

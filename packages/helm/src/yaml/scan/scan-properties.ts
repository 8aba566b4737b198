import {
  type Cursor,
  isBlank,
  isBlankOrEnd,
  isBreak,
  isBreakOrEnd,
  isDigit,
  isTagCharacter,
} from './cursor.ts';

/** Reads the name of an anchor (`&name`) or an alias (`*name`). */
export function scanAnchor(cursor: Cursor): string {
  cursor.skip();
  const name = cursor.readWhile(isTagCharacter);
  const ends = isBlankOrEnd(cursor.unit()) || '?:,]}%@`'.includes(String.fromCharCode(cursor.unit()));
  if (name === '' || !ends) throw cursor.error('did not find expected alphabetic or numeric character');
  return name;
}

export interface TagFields {
  /** `!`, `!!` or `!name!`; empty for `!<uri>` and for a single `!`. */
  readonly handle: string;
  readonly suffix: string;
}

export function scanTag(cursor: Cursor): TagFields {
  const tag = cursor.is('<', 1) ? scanVerbatimTag(cursor) : scanShorthandTag(cursor);
  if (!isBlankOrEnd(cursor.unit())) throw cursor.error('did not find expected whitespace or line break');
  return tag;
}

function scanVerbatimTag(cursor: Cursor): TagFields {
  cursor.skip(2);
  const suffix = scanTagUri(cursor, '');
  if (!cursor.is('>')) throw cursor.error("did not find the expected '>'");
  cursor.skip();
  return { handle: '', suffix };
}

function scanShorthandTag(cursor: Cursor): TagFields {
  const handle = scanTagHandle(cursor, false);
  if (handle.length > 1 && handle.endsWith('!')) return { handle, suffix: scanTagUri(cursor, '') };
  const suffix = scanTagUri(cursor, handle);
  return suffix === '' ? { handle: '', suffix: '!' } : { handle: '!', suffix };
}

function scanTagHandle(cursor: Cursor, isDirective: boolean): string {
  if (!cursor.is('!')) throw cursor.error("did not find expected '!'");
  cursor.skip();
  const handle = `!${cursor.readWhile(isTagCharacter)}`;
  if (cursor.is('!')) {
    cursor.skip();
    return `${handle}!`;
  }
  if (isDirective && handle !== '!') throw cursor.error("did not find expected '!'");
  return handle;
}

/** Reads a tag's URI after its `head`, without the `!`. */
function scanTagUri(cursor: Cursor, head: string): string {
  const uri = cursor.readWhile(
    (unit) => isTagCharacter(unit) || ";/?:@&=+$,.!~*'()[]%".includes(String.fromCharCode(unit)),
  );
  if (head === '' && uri === '') throw cursor.error('did not find expected tag URI');
  return head.slice(1) + decodeUri(cursor, uri);
}

function decodeUri(cursor: Cursor, uri: string): string {
  if (!uri.includes('%')) return uri;
  try {
    return decodeURIComponent(uri);
  } catch {
    throw cursor.error('did not find URI escaped octet');
  }
}

export type Directive =
  | { readonly type: 'version'; readonly major: number; readonly minor: number }
  | { readonly type: 'tag-directive'; readonly handle: string; readonly prefix: string };

/** Reads a `%YAML` or `%TAG` line. */
export function scanDirective(cursor: Cursor): Directive {
  cursor.skip();
  const name = cursor.readWhile(isTagCharacter);
  if (name === '') throw cursor.error('could not find expected directive name');
  if (!isBlankOrEnd(cursor.unit())) throw cursor.error('found unexpected non-alphabetical character');
  if (name !== 'YAML' && name !== 'TAG') throw cursor.error('found unknown directive name');
  const directive = name === 'YAML' ? scanVersion(cursor) : scanTagDirective(cursor);
  cursor.readWhile(isBlank);
  if (cursor.is('#')) cursor.readWhile((unit) => !isBreakOrEnd(unit));
  if (!isBreakOrEnd(cursor.unit())) throw cursor.error('did not find expected comment or line break');
  if (isBreak(cursor.unit())) cursor.readBreak();
  return directive;
}

function scanVersion(cursor: Cursor): Directive {
  cursor.readWhile(isBlank);
  const major = scanVersionNumber(cursor);
  if (!cursor.is('.')) throw cursor.error("did not find expected digit or '.' character");
  cursor.skip();
  return { type: 'version', major, minor: scanVersionNumber(cursor) };
}

function scanVersionNumber(cursor: Cursor): number {
  let digits = '';
  while (isDigit(cursor.unit())) {
    if (digits.length === 2) throw cursor.error('found extremely long version number');
    digits += String.fromCharCode(cursor.unit());
    cursor.skip();
  }
  if (digits === '') throw cursor.error('did not find expected version number');
  return Number(digits);
}

function scanTagDirective(cursor: Cursor): Directive {
  cursor.readWhile(isBlank);
  const handle = scanTagHandle(cursor, true);
  if (!isBlank(cursor.unit())) throw cursor.error('did not find expected whitespace');
  cursor.readWhile(isBlank);
  const prefix = scanTagUri(cursor, '');
  if (!isBlankOrEnd(cursor.unit())) throw cursor.error('did not find expected whitespace or line break');
  return { type: 'tag-directive', handle, prefix };
}

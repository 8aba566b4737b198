import { type Cursor, isBlank, isBlankOrEnd, isBreak } from './cursor.ts';
import { foldBreaks } from './scan-quoted-scalar.ts';

export interface PlainScalar {
  readonly text: string;
  /** A line break follows the text, so a key may start here. */
  readonly endsLine: boolean;
}

const FLOW_ENDS = ',?[]{}';

/** Reads a plain scalar. `indent`: only lines at or beyond this column continue it, except in flow collections. */
export function scanPlainScalar(cursor: Cursor, indent: number, isFlow: boolean): PlainScalar {
  let text = '';
  let pending = '';
  let endsLine = false;
  while (!cursor.isAtDocumentIndicator() && !cursor.is('#')) {
    const piece = readText(cursor, isFlow);
    if (piece !== '') {
      text += pending + piece;
      pending = '';
      endsLine = false;
    }
    if (!isBlank(cursor.unit()) && !isBreak(cursor.unit())) break;
    const space = readSpace(cursor, indent, endsLine);
    if (space === undefined) throw cursor.error('found a tab character that violates indentation');
    pending += space.text;
    endsLine = space.isBroken;
    if (!isFlow && cursor.column < indent) break;
  }
  return { text, endsLine };
}

/** Reads up to white space; a colon ends the scalar only before white space. */
function readText(cursor: Cursor, isFlow: boolean): string {
  const start = cursor.index;
  for (;;) {
    cursor.readWhile((unit) => unit !== 0x3a && !isBlankOrEnd(unit) && !(isFlow && endsFlow(unit)));
    if (!cursor.is(':') || isBlankOrEnd(cursor.unit(1))) return cursor.text.slice(start, cursor.index);
    cursor.skip();
  }
}

function endsFlow(unit: number): boolean {
  return FLOW_ENDS.includes(String.fromCharCode(unit));
}

function readSpace(
  cursor: Cursor,
  indent: number,
  afterBreak: boolean,
): { readonly text: string; readonly isBroken: boolean } | undefined {
  let isBroken = afterBreak;
  let blanks = '';
  let first = '';
  let others = '';
  while (isBlank(cursor.unit()) || isBreak(cursor.unit())) {
    if (isBlank(cursor.unit())) {
      if (isBroken && cursor.column < indent && cursor.is('\t')) return undefined;
      if (!isBroken) blanks += String.fromCharCode(cursor.unit());
      cursor.skip();
    } else if (isBroken) {
      others += cursor.readBreak();
    } else {
      first = cursor.readBreak();
      isBroken = true;
    }
  }
  return { text: isBroken ? foldBreaks(first, others) : blanks, isBroken };
}

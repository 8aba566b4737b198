import { type Cursor, isBlank, isBreak, isBreakOrEnd, isDigit } from './cursor.ts';

type Chomp = 'strip' | 'clip' | 'keep';

/** Reads a `|` or `>` scalar from its indicator. `parentIndent` is the column of the parent node. */
export function scanBlockScalar(cursor: Cursor, parentIndent: number): string {
  const isLiteral = cursor.is('|');
  cursor.skip();
  const { chomp, increment } = scanHeader(cursor);
  let indent = increment === 0 ? 0 : Math.max(parentIndent, 0) + increment;
  const breaks = { text: '' };
  indent = scanBreaks(cursor, indent, parentIndent, breaks);

  let text = '';
  let leadingBreak = '';
  let wasBlank = false;
  while (cursor.column === indent && cursor.unit() !== 0) {
    const startsBlank = isBlank(cursor.unit());
    const folds = !isLiteral && leadingBreak === '\n' && !wasBlank && !startsBlank;
    if (!folds) text += leadingBreak;
    else if (breaks.text === '') text += ' ';
    text += breaks.text;
    breaks.text = '';
    wasBlank = startsBlank;
    text += cursor.readWhile((unit) => !isBreakOrEnd(unit));
    leadingBreak = isBreak(cursor.unit()) ? cursor.readBreak() : '';
    indent = scanBreaks(cursor, indent, parentIndent, breaks);
  }
  if (chomp !== 'strip') text += leadingBreak;
  if (chomp === 'keep') text += breaks.text;
  return text;
}

/** Reads the indicators after `|` in either order, and a comment. */
function scanHeader(cursor: Cursor): { chomp: Chomp; increment: number } {
  let chomp = scanChomp(cursor);
  const increment = scanIncrement(cursor);
  if (chomp === 'clip' && increment !== 0) chomp = scanChomp(cursor);
  cursor.readWhile(isBlank);
  if (cursor.is('#')) cursor.readWhile((unit) => !isBreakOrEnd(unit));
  if (!isBreakOrEnd(cursor.unit())) {
    throw cursor.error('did not find expected comment or line break');
  }
  if (isBreak(cursor.unit())) cursor.readBreak();
  return { chomp, increment };
}

function scanChomp(cursor: Cursor): Chomp {
  const chomp = cursor.is('+') ? 'keep' : cursor.is('-') ? 'strip' : 'clip';
  if (chomp !== 'clip') cursor.skip();
  return chomp;
}

function scanIncrement(cursor: Cursor): number {
  const unit = cursor.unit();
  if (!isDigit(unit)) return 0;
  if (unit === 0x30) throw cursor.error('found an indentation indicator equal to 0');
  cursor.skip();
  return unit - 0x30;
}

/** Skips indentation and empty lines, and detects the indentation if it is still unknown (zero). */
function scanBreaks(cursor: Cursor, indent: number, parentIndent: number, breaks: { text: string }): number {
  let deepest = 0;
  for (;;) {
    while ((indent === 0 || cursor.column < indent) && cursor.is(' ')) cursor.skip();
    deepest = Math.max(deepest, cursor.column);
    if ((indent === 0 || cursor.column < indent) && cursor.is('\t')) {
      throw cursor.error('found a tab character where an indentation space is expected');
    }
    if (!isBreak(cursor.unit())) break;
    breaks.text += cursor.readBreak();
  }
  return indent === 0 ? Math.max(deepest, parentIndent + 1, 1) : indent;
}

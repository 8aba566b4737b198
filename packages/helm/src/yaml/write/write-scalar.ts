import { textToBytes } from '../../value/bytes.ts';
import { staysText } from '../resolve.ts';
import { isBreak } from '../scan/cursor.ts';
import type { LineWriter } from './line-writer.ts';
import { analyzeScalar, needsEscape, type ScalarAnalysis } from './scalar-analysis.ts';

const SPACE = 0x20;

/** Writes a text in the style that go-yaml 2 chooses. Keeps a mapping's key on one line. */
export function writeText(out: LineWriter, given: string, isSimpleKey: boolean): void {
  let text = given;
  if (out.dialect.isDirect && /\p{Surrogate}/u.test(given)) {
    text = base64Lines(given);
    out.writeIndicator('!!binary', true);
  }
  const analysis = analyzeScalar(text, out.dialect);
  const style = chooseStyle(text, analysis, isSimpleKey);
  if (style === 'plain') writePlain(out, text, !isSimpleKey);
  else if (style === 'single') writeSingleQuoted(out, text, !isSimpleKey);
  else if (style === 'double') writeDoubleQuoted(out, text, !isSimpleKey);
  else {
    style satisfies 'literal';
    writeLiteral(out, text);
  }
}

/** Encodes bytes that are not text, in lines of 70 characters. */
function base64Lines(text: string): string {
  const lines = Buffer.from(textToBytes(text))
    .toString('base64')
    .match(/.{1,70}/g) ?? [''];
  return lines.length === 1 ? (lines[0] as string) : `${lines.join('\n')}\n`;
}

function chooseStyle(
  text: string,
  analysis: ScalarAnalysis,
  isSimpleKey: boolean,
): 'plain' | 'single' | 'double' | 'literal' {
  if (text.includes('\n')) return analysis.literalAllowed && !isSimpleKey ? 'literal' : 'double';
  if (!staysText(text)) return 'double';
  if (analysis.isMultiline && isSimpleKey) return 'double';
  if (analysis.plainAllowed) return 'plain';
  return analysis.singleQuotedAllowed ? 'single' : 'double';
}

/** Writes text unchanged: numbers, `true`, `null`, and texts that need no quotes. */
export function writePlain(out: LineWriter, text: string, mayFold: boolean): void {
  if (!out.isAfterSpace) out.write(' ');
  if (mayFold && out.column + text.length > out.dialect.foldWidth && text.includes(' '))
    writeFolded(out, text);
  else out.write(text);
  out.isAfterSpace = false;
  out.isIndented = false;
}

function writeSingleQuoted(out: LineWriter, text: string, mayFold: boolean): void {
  out.writeIndicator("'", true);
  let hasBreak = false;
  let hasSpace = false;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === SPACE) {
      if (mayFold && !hasSpace && foldsAt(out, text, index)) out.writeIndent();
      else out.write(' ');
      hasSpace = true;
    } else if (isBreak(unit)) {
      out.writeBreak(text[index]);
      out.isIndented = true;
      hasBreak = true;
    } else {
      if (hasBreak) out.writeIndent();
      out.write(unit === 0x27 ? "''" : (text[index] as string));
      out.isIndented = false;
      hasSpace = false;
      hasBreak = false;
    }
  }
  out.writeIndicator("'", false);
}

function writeFolded(out: LineWriter, text: string): void {
  let hasSpace = false;
  for (let index = 0; index < text.length; index++) {
    const isSpace = text.charCodeAt(index) === SPACE;
    if (isSpace && !hasSpace && foldsAt(out, text, index)) {
      out.writeIndent();
    } else {
      out.write(text[index] as string);
      if (!isSpace) out.isIndented = false;
    }
    hasSpace = isSpace;
  }
}

/** Whether to fold here: at a single space, neither first nor last, past the width. */
function foldsAt(out: LineWriter, text: string, index: number): boolean {
  if (out.column <= out.dialect.foldWidth || index === 0 || index === text.length - 1) return false;
  return text.charCodeAt(index + 1) !== SPACE;
}

function writeDoubleQuoted(out: LineWriter, text: string, mayFold: boolean): void {
  out.writeIndicator('"', true);
  // At each character, libyaml checks for a byte order mark at the start of the text, and then escapes all of them.
  const escapesAll = text.startsWith('\ufeff');
  let hasSpace = false;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (escapesAll || needsEscape(unit)) {
      const code = text.codePointAt(index) as number;
      out.write(escapeOf(code));
      if (code > 0xffff) index++;
      hasSpace = false;
    } else if (unit === SPACE) {
      writeQuotedSpace(out, text, index, mayFold && !hasSpace);
      hasSpace = true;
    } else {
      out.write(text[index] as string);
      hasSpace = false;
    }
  }
  out.writeIndicator('"', false);
}

/** Writes a space in double quotes; a line may end there even before another space, which then needs an escape. */
function writeQuotedSpace(out: LineWriter, text: string, index: number, mayFold: boolean): void {
  const isInside = index > 0 && index < text.length - 1;
  if (!mayFold || !isInside || out.column <= out.dialect.foldWidth) {
    out.write(' ');
    return;
  }
  out.writeIndent();
  if (text.charCodeAt(index + 1) === SPACE) out.write('\\');
}

const SHORT_ESCAPES: ReadonlyMap<number, string> = new Map([
  [0x00, '\\0'],
  [0x07, '\\a'],
  [0x08, '\\b'],
  [0x09, '\\t'],
  [0x0a, '\\n'],
  [0x0b, '\\v'],
  [0x0c, '\\f'],
  [0x0d, '\\r'],
  [0x1b, '\\e'],
  [0x22, '\\"'],
  [0x5c, '\\\\'],
  [0x85, '\\N'],
  [0xa0, '\\_'],
  [0x2028, '\\L'],
  [0x2029, '\\P'],
]);

function escapeOf(code: number): string {
  const short = SHORT_ESCAPES.get(code);
  if (short !== undefined) return short;
  const digits = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${digits.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${digits.padStart(4, '0')}` : `\\U${digits.padStart(8, '0')}`;
}

function writeLiteral(out: LineWriter, text: string): void {
  out.writeIndicator('|', true);
  const first = text.charCodeAt(0);
  if (first === SPACE || isBreak(first)) out.writeIndicator('2', false);
  const chomp = chompOf(text);
  if (chomp !== '') out.writeIndicator(chomp, false);
  out.writeBreak();
  out.isIndented = true;
  out.isAfterSpace = true;
  for (const line of text.split(/(?<=[\r\n\u0085\u2028\u2029])/)) {
    const isBroken = isBreak(line.charCodeAt(line.length - 1));
    const content = isBroken ? line.slice(0, -1) : line;
    if (content !== '') {
      out.writeIndent();
      out.write(content);
      out.isIndented = false;
    }
    if (isBroken) {
      out.writeBreak(line.at(-1));
      out.isIndented = true;
    }
  }
}

/** Returns how a reader must treat the final line breaks: strip, keep one, or keep all. */
function chompOf(text: string): '' | '-' | '+' {
  if (!isBreak(text.charCodeAt(text.length - 1))) return '-';
  return text.length === 1 || isBreak(text.charCodeAt(text.length - 2)) ? '+' : '';
}

/** Whether a text can be a mapping key on one line: no line breaks, and at most 128 bytes. */
export function isSimpleKey(text: string): boolean {
  if (/[\r\n\u0085\u2028\u2029]/.test(text)) return false;
  return text.length <= 128 && Buffer.byteLength(text) <= 128;
}

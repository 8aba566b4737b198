import type { CliContext } from '../context.ts';

/** Width of help if standard output is not a terminal, or a terminal of unknown size. */
const DEFAULT_WIDTH = 100;
/** Longer lines are hard to read. */
const MAX_WIDTH = 120;
const MIN_WIDTH = 30;
/** The first column's maximum share of the width; a longer entry gets a line of its own. */
const MAX_LEFT_SHARE = 0.4;
/** The second column needs this many characters; with fewer it goes below the first. */
const MIN_RIGHT = 24;
const STACKED_INDENT = 6;

/** Returns the width to which help wraps, in characters: COLUMNS if set, else the terminal's. */
export function helpWidth({ env, stdout }: Pick<CliContext, 'env' | 'stdout'>): number {
  const asked = /^\d{1,6}$/.test(env.COLUMNS ?? '') ? Number(env.COLUMNS) : 0;
  const width = asked || (stdout.isTTY ? stdout.columns : 0) || DEFAULT_WIDTH;
  return Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width));
}

/**
 * Wraps the words of a text into lines of at most `width` characters. A longer word gets a line of its own.
 */
export function wrapText(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const token of text.split(/\s+/).filter((each) => each !== '')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + token.length <= width)
      lines[lines.length - 1] = `${last} ${token}`;
    else lines.push(token);
  }
  return lines;
}

/**
 * Formats rows of two columns, indented by two; only the second one wraps. `maxLeftShare`: the first column's
 * maximum share of the width.
 */
export function twoColumns(
  rows: readonly (readonly [string, string])[],
  width: number,
  maxLeftShare = MAX_LEFT_SHARE,
): readonly string[] {
  const maxLeft = Math.floor(width * maxLeftShare);
  const fitting = rows.map(([left]) => left.length).filter((length) => length <= maxLeft);
  const leftWidth = Math.max(0, ...fitting);
  const isStacked = fitting.length === 0 || width - leftWidth - 4 < MIN_RIGHT;
  const indent = isStacked ? STACKED_INDENT : leftWidth + 4;
  const pad = ' '.repeat(indent);
  return rows.flatMap(([left, right]) => {
    const lines = wrapText(right, width - indent);
    if (isStacked || left.length > leftWidth) return [`  ${left}`, ...lines.map((line) => pad + line)];
    const [first = '', ...more] = lines;
    return [`  ${left.padEnd(leftWidth)}  ${first}`.trimEnd(), ...more.map((line) => pad + line)];
  });
}

import { columnOf } from '../../../domain/columns.ts';
import type { ConsoleColumn } from '../url/console-url.ts';

export const MIN_COLUMN_PX = 15;
export const MAX_COLUMN_PX = 800;

const KEY = 'logtool.column-widths';
const FIELD_PX = 144;
const LEVEL_PX = 20;
const PADDING_PX = 8;
/** Character width of the log's font. */
const CHAR_PX = 7.5;
/** The hue bar and the space around a name. */
const SPEAKER_PX = 24;
const MAX_SPEAKER_CHARS = 26;

/** Minimum space for the message: with more columns the log scrolls sideways. */
const MIN_MESSAGE = 'min(480px, 50vw)';

/** Widths that the user chose, px; other columns have default widths. */
export type ColumnWidths = Readonly<Record<string, number>>;

/** Determines how wide columns are. */
export interface ColumnLayout {
  readonly widths: ColumnWidths;
  /** The longest container name beside its hue, in characters; 0: no names. */
  readonly speakerChars: number;
}

/** Returns the width of a column, px. */
export function columnPx(column: ConsoleColumn, { widths, speakerChars }: ColumnLayout): number {
  const chosen = Object.hasOwn(widths, column) ? widths[column] : undefined;
  if (column === 'dot' && speakerChars === 0) return columnOf(column).widthPx;
  if (chosen !== undefined) return chosen;
  if (isField(column)) return FIELD_PX;
  if (column === 'dot') return Math.ceil(SPEAKER_PX + Math.min(speakerChars, MAX_SPEAKER_CHARS) * CHAR_PX);
  return columnOf(column).widthPx;
}

/** Returns grid-template-columns of the rows (level, columns, message), and their minimum width. */
export function gridTemplate(
  columns: readonly ConsoleColumn[],
  layout: ColumnLayout,
): { readonly template: string; readonly minWidth: string } {
  const widthsPx = columns.map((column) => columnPx(column, layout));
  const sumPx = widthsPx.reduce((sum, px) => sum + px, LEVEL_PX + PADDING_PX);
  const fixed = [LEVEL_PX, ...widthsPx].map((px) => `${px}px`).join(' ');
  return {
    template: `${fixed} minmax(${MIN_MESSAGE}, 1fr)`,
    minWidth: `calc(${sumPx}px + ${MIN_MESSAGE})`,
  };
}

/** Whether a column shows a field of JSON lines. */
export function isField(column: ConsoleColumn): column is `json:${string}` {
  return column.startsWith('json:');
}

/** Limits a width to the allowed range. */
export function withinBounds(px: number): number {
  return Math.min(MAX_COLUMN_PX, Math.max(MIN_COLUMN_PX, Math.round(px)));
}

/** The widths chosen in this browser. The stored text may be broken or come from another version. */
export function storedWidths(): ColumnWidths {
  try {
    return parseWidths(localStorage.getItem(KEY));
  } catch {
    // The browser may forbid storage: the page works without it.
    return {};
  }
}

/** Returns the valid widths of a stored text; none if the text is broken. */
export function parseWidths(text: string | null): ColumnWidths {
  if (text === null) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, px]) =>
        typeof px === 'number' && Number.isFinite(px) ? [[name, withinBounds(px)]] : [],
      ),
    );
  } catch {
    return {};
  }
}

export function storeWidths(widths: ColumnWidths): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(widths));
  } catch {
    // As above: they apply to this page only.
  }
}

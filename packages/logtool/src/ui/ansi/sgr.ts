/** The style of a part of a line. Colors: 0 to 15 come from the theme, `#rrggbb` is used unchanged. */
export interface AnsiStyle {
  readonly fg?: number | string;
  readonly bg?: number | string;
  readonly bold?: true;
  readonly dim?: true;
  readonly italic?: true;
  readonly underline?: true;
  readonly strike?: true;
  readonly inverse?: true;
  /** SGR 8 hides text; a log viewer shows it and marks it as hidden. */
  readonly concealed?: true;
}

export const PLAIN: AnsiStyle = {};

/** More parameters than any program sends; the rest of a longer sequence is not read. */
const MAX_PARAMETERS = 64;

type Flag = Exclude<keyof AnsiStyle, Ground>;
type Ground = 'fg' | 'bg';

/** Codes that turn a style on, by their number (ECMA-48 8.3.117; 21 is double underline). */
const SETS: ReadonlyMap<number, Flag> = new Map([
  [1, 'bold'],
  [2, 'dim'],
  [3, 'italic'],
  [4, 'underline'],
  [7, 'inverse'],
  [8, 'concealed'],
  [9, 'strike'],
  [21, 'underline'],
]);

/** Codes that turn styles off. */
const RESETS: ReadonlyMap<number, readonly (keyof AnsiStyle)[]> = new Map([
  [0, ['fg', 'bg', 'bold', 'dim', 'italic', 'underline', 'strike', 'inverse', 'concealed']],
  [22, ['bold', 'dim']],
  [23, ['italic']],
  [24, ['underline']],
  [27, ['inverse']],
  [28, ['concealed']],
  [29, ['strike']],
  [39, ['fg']],
  [49, ['bg']],
]);

/** Ranges of eight color codes: the first code, and the theme color that it selects. */
const PALETTES: readonly { readonly first: number; readonly ground: Ground; readonly color: number }[] = [
  { first: 30, ground: 'fg', color: 0 },
  { first: 40, ground: 'bg', color: 0 },
  { first: 90, ground: 'fg', color: 8 },
  { first: 100, ground: 'bg', color: 8 },
];

/** Codes followed by an arbitrary color. */
const ANY_COLOR: ReadonlyMap<number, Ground> = new Map([
  [38, 'fg'],
  [48, 'bg'],
]);

/**
 * Returns the style after one Select Graphic Rendition sequence; `parameters` is the text between `ESC [` and
 * `m`. Unknown parameters change nothing. ECMA-48 8.3.117; 38 and 48 with `5;n` and `2;r;g;b` (ITU-T T.416
 * 13.1.8 writes them with colons).
 */
export function applySgr(style: AnsiStyle, parameters: string): AnsiStyle {
  const next: Mutable = { ...style };
  const codes = parameters.split(';', MAX_PARAMETERS);
  for (let at = 0; at < codes.length; at++) {
    const [head = '', ...sub] = (codes[at] ?? '').split(':');
    const code = head === '' ? 0 : Number(head);
    const ground = ANY_COLOR.get(code);
    if (ground === undefined) {
      // `4:0` turns underline off.
      applyCode(next, code === 4 && sub[0] === '0' ? 24 : code);
      continue;
    }
    const [color, used] = sub.length > 0 ? [colonColor(sub), 0] : listedColor(codes, at + 1);
    at += used;
    if (color !== undefined) next[ground] = color;
  }
  return next;
}

type Mutable = { -readonly [K in keyof AnsiStyle]: AnsiStyle[K] };

function applyCode(style: Mutable, code: number): void {
  const flag = SETS.get(code);
  if (flag !== undefined) style[flag] = true;
  for (const name of RESETS.get(code) ?? []) delete style[name];
  const palette = PALETTES.find(({ first }) => code >= first && code < first + 8);
  if (palette !== undefined) style[palette.ground] = palette.color + code - palette.first;
}

/** Reads `38;5;n` and `38;2;r;g;b`. Returns the color and the number of parameters consumed. */
function listedColor(codes: readonly string[], at: number): [number | string | undefined, number] {
  if (codes[at] === '5') return [indexedColor(Number(codes[at + 1])), 2];
  if (codes[at] === '2') return [rgb(codes.slice(at + 1, at + 4)), 4];
  return [undefined, 0];
}

/** `38:5:n`, `38:2:r:g:b` and `38:2:<color space>:r:g:b`. */
function colonColor(sub: readonly string[]): number | string | undefined {
  if (sub[0] === '5') return indexedColor(Number(sub[1]));
  if (sub[0] === '2') return rgb(sub.slice(-3));
  return undefined;
}

/** The 256 colors: 16 of the theme, a cube of 6 x 6 x 6, 24 grays. */
function indexedColor(index: number): number | string | undefined {
  if (!Number.isInteger(index) || index < 0 || index > 255) return undefined;
  if (index < 16) return index;
  if (index >= 232) return hex(Array(3).fill(8 + (index - 232) * 10));
  const cube = index - 16;
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40);
  return hex([level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)]);
}

function rgb(codes: readonly string[]): string | undefined {
  const values = codes.map(Number);
  const good =
    values.length === 3 && values.every((value) => Number.isInteger(value) && value >= 0 && value <= 255);
  return good ? hex(values) : undefined;
}

function hex(values: readonly number[]): string {
  return `#${values.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

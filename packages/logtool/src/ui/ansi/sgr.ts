/** How a part of a line looks. Colours: 0 to 15 are of the theme, `#rrggbb` is meant as it is. */
export interface AnsiStyle {
  readonly fg?: number | string;
  readonly bg?: number | string;
  readonly bold?: true;
  readonly dim?: true;
  readonly italic?: true;
  readonly underline?: true;
  readonly strike?: true;
  readonly inverse?: true;
  /** SGR 8 hides text; a log viewer shows what was written, and says that it was to be hidden. */
  readonly concealed?: true;
}

export const PLAIN: AnsiStyle = {};

/** More parameters than any program sends; the rest of a longer sequence is not looked at. */
const LIMIT_PARAMETERS = 64;

/**
 * The style after one Select Graphic Rendition sequence, given what stands between `ESC [` and `m`. Unknown parameters
 * change nothing. ECMA-48 8.3.117; 38 and 48 with `5;n` and `2;r;g;b` (ITU-T T.416 13.1.8 writes them with colons).
 */
export function applySgr(style: AnsiStyle, parameters: string): AnsiStyle {
  const next: Mutable = { ...style };
  const parts = parameters.split(';', LIMIT_PARAMETERS);
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] ?? '';
    const [head = '', ...sub] = part.split(':');
    const code = head === '' ? 0 : Number(head);
    if (code === 38 || code === 48) {
      const [colour, used] = sub.length > 0 ? [colonColour(sub), 0] : listedColour(parts, at + 1);
      at += used;
      if (colour !== undefined) next[code === 38 ? 'fg' : 'bg'] = colour;
      continue;
    }
    if (code === 4 && sub[0] === '0') delete next.underline;
    else applyCode(next, code);
  }
  return next;
}

type Mutable = { -readonly [K in keyof AnsiStyle]: AnsiStyle[K] };

function applyCode(style: Mutable, code: number): void {
  if (code === 0) {
    for (const key of Object.keys(style) as (keyof AnsiStyle)[]) delete style[key];
  } else if (code === 1) style.bold = true;
  else if (code === 2) style.dim = true;
  else if (code === 3) style.italic = true;
  else if (code === 4 || code === 21) style.underline = true;
  else if (code === 7) style.inverse = true;
  else if (code === 8) style.concealed = true;
  else if (code === 9) style.strike = true;
  else if (code === 22) {
    delete style.bold;
    delete style.dim;
  } else if (code === 23) delete style.italic;
  else if (code === 24) delete style.underline;
  else if (code === 27) delete style.inverse;
  else if (code === 28) delete style.concealed;
  else if (code === 29) delete style.strike;
  else if (code >= 30 && code <= 37) style.fg = code - 30;
  else if (code === 39) delete style.fg;
  else if (code >= 40 && code <= 47) style.bg = code - 40;
  else if (code === 49) delete style.bg;
  else if (code >= 90 && code <= 97) style.fg = code - 82;
  else if (code >= 100 && code <= 107) style.bg = code - 92;
}

/** `38;5;n` and `38;2;r;g;b`: the colour, and how many parameters it took. */
function listedColour(parts: readonly string[], at: number): [number | string | undefined, number] {
  if (parts[at] === '5') return [indexedColour(Number(parts[at + 1])), 2];
  if (parts[at] === '2') return [rgb(parts.slice(at + 1, at + 4)), 4];
  return [undefined, 0];
}

/** `38:5:n`, `38:2:r:g:b` and `38:2:<colour space>:r:g:b`. */
function colonColour(sub: readonly string[]): number | string | undefined {
  if (sub[0] === '5') return indexedColour(Number(sub[1]));
  if (sub[0] === '2') return rgb(sub.slice(-3));
  return undefined;
}

/** The 256 colours: 16 of the theme, a cube of 6 x 6 x 6, 24 greys. */
function indexedColour(index: number): number | string | undefined {
  if (!Number.isInteger(index) || index < 0 || index > 255) return undefined;
  if (index < 16) return index;
  if (index >= 232) return hex(Array(3).fill(8 + (index - 232) * 10));
  const cube = index - 16;
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40);
  return hex([level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)]);
}

function rgb(parts: readonly string[]): string | undefined {
  const values = parts.map(Number);
  const good =
    values.length === 3 && values.every((value) => Number.isInteger(value) && value >= 0 && value <= 255);
  return good ? hex(values) : undefined;
}

function hex(values: readonly number[]): string {
  return `#${values.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** Luminance of the canvas and of what stands on it (tokens.css), a little nearer to the text than they are. */
const LEAST_ON_DARK = 0.24;
const MOST_ON_LIGHT = 0.15;
/** WCAG 2.2, 1.4.3. */
const ENOUGH = 4.5;
const INK = '#000000';
const PAPER = '#ffffff';
const STEPS = 20;

/** A colour that a program chose for a dark or light screen, as it can be read on the canvas of each theme. */
export function legible(colour: string): { readonly dark: string; readonly light: string } {
  return {
    dark: towards(colour, '#ffffff', (luminance) => luminance >= LEAST_ON_DARK),
    light: towards(colour, '#000000', (luminance) => luminance <= MOST_ON_LIGHT),
  };
}

/** The colour itself where it can be read on a background of any colour, else ink or paper. */
export function legibleOn(background: string, colour?: string): string {
  if (colour !== undefined && contrast(colour, background) >= ENOUGH) return colour;
  return contrast(INK, background) >= contrast(PAPER, background) ? INK : PAPER;
}

/** Relative luminance of `#rrggbb`, 0 to 1 (WCAG 2.2). */
export function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminanceOf(a), luminanceOf(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

function towards(colour: string, end: string, isEnough: (luminance: number) => boolean): string {
  let mixed = colour;
  for (let step = 1; step <= STEPS && !isEnough(luminanceOf(mixed)); step++)
    mixed = mix(colour, end, step / STEPS);
  return mixed;
}

function mix(a: string, b: string, share: number): string {
  const other = channels(b);
  const mixed = channels(a).map((value, at) => Math.round(value + ((other[at] ?? 0) - value) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function channels(colour: string): readonly number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}

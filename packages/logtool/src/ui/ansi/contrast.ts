/** Luminance of the canvas and its surfaces (tokens.css), moved slightly toward the text. */
const MIN_ON_DARK = 0.24;
const MAX_ON_LIGHT = 0.15;
/** WCAG 2.2, 1.4.3. */
const ENOUGH = 4.5;
const INK = '#000000';
const PAPER = '#ffffff';
const STEPS = 20;

/**
 * Returns a color that a program chose for a dark or light screen, adjusted to be legible on each theme's
 * canvas.
 */
export function legible(color: string): { readonly dark: string; readonly light: string } {
  return {
    dark: towards(color, '#ffffff', (luminance) => luminance >= MIN_ON_DARK),
    light: towards(color, '#000000', (luminance) => luminance <= MAX_ON_LIGHT),
  };
}

/** Returns the color itself if it is legible on the background, else ink or paper. */
export function legibleOn(background: string, color?: string): string {
  if (color !== undefined && contrast(color, background) >= ENOUGH) return color;
  return contrast(INK, background) >= contrast(PAPER, background) ? INK : PAPER;
}

/** Returns the relative luminance of `#rrggbb`, 0 to 1 (WCAG 2.2). */
export function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminanceOf(a), luminanceOf(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

function towards(color: string, end: string, isEnough: (luminance: number) => boolean): string {
  let mixed = color;
  for (let step = 1; step <= STEPS && !isEnough(luminanceOf(mixed)); step++)
    mixed = mix(color, end, step / STEPS);
  return mixed;
}

function mix(a: string, b: string, share: number): string {
  const other = channels(b);
  const mixed = channels(a).map((value, at) => Math.round(value + ((other[at] ?? 0) - value) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function channels(color: string): readonly number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}

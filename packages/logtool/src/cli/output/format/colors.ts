import { HueAllotment } from '../../../domain/speakers/hues.ts';
import type { CliContext, OutputStream } from '../../context.ts';

/**
 * Whether a stream gets color: the flag decides, then FORCE_COLOR, NO_COLOR and TERM=dumb, then whether it is
 * a terminal.
 */
export function wantsColor(
  wish: 'auto' | 'always' | 'never',
  env: CliContext['env'],
  stream: OutputStream,
): boolean {
  if (wish !== 'auto') return wish === 'always';
  const forced = env.FORCE_COLOR;
  if (forced !== undefined && forced !== '') return forced !== '0' && forced.toLowerCase() !== 'false';
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false;
  return stream.isTTY && env.TERM !== 'dumb';
}

/**
 * SGR foreground codes that are distinct on dark and on light backgrounds; never red, which means failure.
 */
const BASIC = ['32', '33', '34', '35', '36', '92', '93', '94', '95', '96'];
/**
 * The first are close to the hues of the page (hue.css), in the same order; the others are for more
 * containers.
 */
const MANY = [
  74, 77, 175, 141, 173, 185, 73, 138, 105, 143, 176, 108, 39, 34, 170, 178, 44, 99, 142, 36, 28, 69, 134,
  112, 37, 98, 31, 71, 63, 104,
].map((code) => `38;5;${code}`);

/** Returns codes for dots, as many as the terminal can distinguish. */
export function dotPalette(env: CliContext['env']): readonly string[] {
  return /256|direct|kitty|alacritty|ghostty/.test(env.TERM ?? '') || env.COLORTERM ? MANY : BASIC;
}

/** The colors of containers in a terminal. */
export class DotColors {
  readonly #palette: readonly string[];
  readonly #hues: HueAllotment;

  constructor(palette: readonly string[]) {
    this.#palette = palette;
    this.#hues = new HueAllotment(palette.length);
  }

  /** Registers a new container. */
  see(identity: string): void {
    this.#hues.see(identity);
  }

  /** Returns the SGR code of a container, by its identity. */
  codeOf(identity: string): string {
    return this.#palette[this.#hues.of(identity)] ?? '36';
  }
}

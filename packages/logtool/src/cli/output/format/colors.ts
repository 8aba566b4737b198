import type { CliContext, OutputStream } from '../../context.ts';

/** Whether a stream gets colour: the flag, then FORCE_COLOR, NO_COLOR and TERM=dumb, then its being a terminal. */
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

/** SGR codes of the foreground that stand apart on dark and on light ground; never red, which means failure. */
const BASIC = ['32', '33', '34', '35', '36', '92', '93', '94', '95', '96'];
const MANY = [
  39, 34, 170, 178, 44, 99, 142, 75, 36, 141, 28, 69, 176, 112, 37, 105, 185, 31, 134, 71, 45, 98, 107, 214,
  73, 63, 149, 104, 38, 219,
].map((code) => `38;5;${code}`);

/** Codes for dots, as many as the terminal can distinguish. */
export function dotPalette(env: CliContext['env']): readonly string[] {
  return /256|direct|kitty|alacritty|ghostty/.test(env.TERM ?? '') || env.COLORTERM ? MANY : BASIC;
}

/**
 * Allots colours to containers: by a stable hash of the container's name, moved on when another container in view has
 * that colour, so that those in view differ as long as there are colours.
 */
export class DotColors {
  readonly #palette: readonly string[];
  readonly #codes = new Map<string, string>();
  readonly #taken = new Set<number>();

  constructor(palette: readonly string[]) {
    this.#palette = palette;
  }

  /** The SGR code for a container, by `namespace/pod/container`. */
  codeOf(identity: string): string {
    const known = this.#codes.get(identity);
    if (known !== undefined) return known;
    const size = this.#palette.length;
    let index = hash(identity) % size;
    if (this.#taken.size < size) while (this.#taken.has(index)) index = (index + 1) % size;
    this.#taken.add(index);
    const code = this.#palette[index] ?? '36';
    this.#codes.set(identity, code);
    return code;
  }
}

/** FNV-1a, 32 bit. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return value;
}

import type { CSSProperties } from 'react';
import { legible, legibleOn } from './contrast.ts';
import type { Segment } from './segments.ts';
import type { AnsiStyle } from './sgr.ts';

interface SegmentStyle {
  readonly className: string;
  readonly style: CSSProperties;
}

/**
 * Returns the classes (of ansi.css) and colors of a segment; undefined if it looks like ordinary text. Every
 * color that a program chose is legible in both themes; hidden text is shown too.
 */
export function segmentStyle({ style, isControl }: Segment): SegmentStyle | undefined {
  const classes: string[] = isControl ? ['ansi-control'] : [];
  for (const name of ['bold', 'dim', 'italic', 'underline', 'strike', 'concealed'] as const) {
    if (style[name] === true) classes.push(`ansi-${name}`);
  }
  const colors = colorStyle(style);
  classes.push(...colors.classes);
  if (classes.length === 0 && colors.style === undefined) return undefined;
  return { className: classes.join(' '), style: colors.style ?? {} };
}

interface ColorStyle {
  readonly classes: readonly string[];
  readonly style?: CSSProperties;
}

function colorStyle(style: AnsiStyle): ColorStyle {
  const isInverse = style.inverse === true;
  const fg = isInverse ? style.bg : style.fg;
  const bg = isInverse ? (style.fg ?? 'text') : style.bg;
  // Text and canvas swap colors.
  if (bg === 'text') return { classes: ['ansi-fg-canvas', 'ansi-bg-text'] };
  if (typeof bg === 'string') {
    const color = legibleOn(bg, typeof fg === 'string' ? fg : undefined);
    return { classes: [], style: { color, backgroundColor: bg } };
  }
  const own = foreground(fg);
  if (bg === undefined) return own;
  return { ...own, classes: [...own.classes, `ansi-bg-${bg}`] };
}

function foreground(fg: AnsiStyle['fg']): ColorStyle {
  if (fg === undefined) return { classes: [] };
  if (typeof fg === 'number') return { classes: [`ansi-fg-${fg}`] };
  const { dark, light } = legible(fg);
  return {
    classes: ['ansi-fg-own'],
    style: { '--ansi-own-dark': dark, '--ansi-own-light': light } as CSSProperties,
  };
}

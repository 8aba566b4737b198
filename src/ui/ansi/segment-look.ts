import type { Segment } from './segments.ts';

interface SegmentLook {
  readonly className: string;
  readonly style: { readonly color?: string; readonly backgroundColor?: string };
}

/** Classes (of ansi.css) and colours of a part of a line; undefined where it looks like all other text. */
export function segmentLook({ style, isControl }: Segment): SegmentLook | undefined {
  const classes: string[] = isControl ? ['ansi-control'] : [];
  const colours: { color?: string; backgroundColor?: string } = {};
  for (const name of ['bold', 'dim', 'italic', 'underline', 'strike', 'concealed'] as const) {
    if (style[name] === true) classes.push(`ansi-${name}`);
  }
  const [fg, bg] = style.inverse === true ? [style.bg ?? 'canvas', style.fg ?? 'text'] : [style.fg, style.bg];
  if (typeof fg === 'number') classes.push(`ansi-fg-${fg}`);
  else if (fg === 'canvas') classes.push('ansi-fg-canvas');
  else if (fg !== undefined) colours.color = fg;
  if (typeof bg === 'number') classes.push(`ansi-bg-${bg}`);
  else if (bg === 'text') classes.push('ansi-bg-text');
  else if (bg !== undefined) colours.backgroundColor = bg;
  if (classes.length === 0 && Object.keys(colours).length === 0) return undefined;
  return { className: classes.join(' '), style: colours };
}

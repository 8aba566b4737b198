import { useEffect, useRef, useSyncExternalStore } from 'react';
import { currentTheme, onThemeChange } from '../theme/theme.ts';
import type { Histogram } from '../worker/session/protocol.ts';
import { barsOf } from './bars.ts';

const HEIGHT_PX = 40;
const COLORS = { error: '--err', warning: '--warn', other: '--bar' } as const;

interface HistogramCanvasProps {
  readonly histogram: Histogram;
  readonly widthPx: number;
}

/** The bars, in the colors of the theme. */
export function HistogramCanvas({ histogram, widthPx }: HistogramCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = useSyncExternalStore(onThemeChange, currentTheme);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colors change with the theme
  useEffect(() => {
    const element = canvas.current;
    const paint = element?.getContext('2d');
    if (element === null || paint === null || paint === undefined) return;
    const scale = devicePixelRatio;
    element.width = Math.round(widthPx * scale);
    element.height = HEIGHT_PX * scale;
    paint.scale(scale, scale);
    const style = getComputedStyle(element);
    for (const { kind, xPx, yPx, widthPx: width, heightPx } of barsOf(histogram, widthPx, HEIGHT_PX)) {
      paint.fillStyle = style.getPropertyValue(COLORS[kind]);
      paint.fillRect(xPx, yPx, width, heightPx);
    }
  }, [histogram, widthPx, theme]);
  return <canvas ref={canvas} />;
}

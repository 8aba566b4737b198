import { formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import { useEffect, useRef, useState } from 'react';
import type { ToolProps } from '../console/tools/slots.ts';
import type { Range } from '../range/range-text.ts';
import { setRange } from '../range/set-range.ts';
import type { Histogram } from '../worker/protocol/protocol.ts';
import { type Stretch, stretchOf, stretchTimes } from './bars.ts';

/** What is selected in the strip. */
export type Brush =
  | { readonly state: 'none' }
  /** The user is drawing a stretch. `origin`: where the pointer was pressed, and the brush until then. */
  | {
      readonly state: 'drawing';
      readonly stretch: Stretch;
      /** The range that Escape restores, if the strip has replaced one. */
      readonly replaced: Range | undefined;
      readonly origin: { readonly bucket: number; readonly brush: Brush } | undefined;
    }
  /** The range is that of a stretch, and the strip shows it alone; Escape restores `replaced`. */
  | { readonly state: 'set'; readonly replaced: Range; readonly range: Range };

const NONE: Brush = { state: 'none' };

/** The selected stretch, and the actions that change it. */
export interface BrushControl {
  readonly brush: Brush;
  /** What is being drawn. */
  readonly stretch: Stretch | undefined;
  /** The pointer is pressed, moved or released at a bucket. */
  readonly press: (bucket: number, count: number) => void;
  readonly drag: (bucket: number, count: number) => void;
  readonly release: (bucket: number, histogram: Histogram) => void;
  /** Discards what the pointer has drawn. */
  readonly cancel: () => void;
  readonly draw: (stretch: Stretch) => void;
  /** Makes a stretch the range. */
  readonly apply: (stretch: Stretch, histogram: Histogram) => void;
  /** Removes the stretch and restores the range that it replaced. */
  readonly restore: () => void;
}

export function useBrush(tools: Pick<ToolProps, 'session' | 'url' | 'setUrl'>): BrushControl {
  const { url } = tools;
  const [brush, setBrush] = useState<Brush>(NONE);
  // Something else chose another range: the stretch is obsolete. The address updates shortly after the brush.
  const isSeen = useRef(false);
  useEffect(() => {
    if (brush.state !== 'set') isSeen.current = false;
    else if (url.from === brush.range.from && url.to === brush.range.to) isSeen.current = true;
    else if (isSeen.current) setBrush(NONE);
  }, [brush, url.from, url.to]);
  const apply = (stretch: Stretch, histogram: Histogram) => {
    const times = stretchTimes(histogram, stretch);
    const range = { from: formatTimestamp(times.from), to: formatTimestamp(times.to) };
    isSeen.current = false;
    setBrush({ state: 'set', replaced: replacedBy(brush) ?? rangeOf(url), range });
    setRange(tools, range);
  };
  return {
    brush,
    stretch: brush.state === 'drawing' ? brush.stretch : undefined,
    press: (bucket, count) =>
      setBrush({
        state: 'drawing',
        stretch: stretchOf(bucket, bucket, count),
        replaced: replacedBy(brush),
        origin: { bucket, brush },
      }),
    drag: (bucket, count) => {
      const origin = originOf(brush);
      if (brush.state === 'drawing' && origin !== undefined)
        setBrush({ ...brush, stretch: stretchOf(origin.bucket, bucket, count) });
    },
    release: (bucket, histogram) => {
      const origin = originOf(brush);
      if (origin !== undefined) apply(stretchOf(origin.bucket, bucket, histogram.others.length), histogram);
    },
    cancel: () => setBrush(originOf(brush)?.brush ?? NONE),
    draw: (stretch) =>
      setBrush({ state: 'drawing', stretch, replaced: replacedBy(brush), origin: undefined }),
    apply,
    restore: () => {
      setBrush(NONE);
      if (brush.state === 'set') setRange(tools, brush.replaced);
    },
  };
}

function originOf(brush: Brush) {
  return brush.state === 'drawing' ? brush.origin : undefined;
}

function replacedBy(brush: Brush): Range | undefined {
  return brush.state === 'none' ? undefined : brush.replaced;
}

function rangeOf({ last, from, to }: Range): Range {
  return {
    ...(last === undefined ? {} : { last }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
}

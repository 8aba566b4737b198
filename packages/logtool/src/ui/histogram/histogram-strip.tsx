import { formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import type { ToolProps } from '../console/session/slots.ts';
import type { Range } from '../range/range-text.ts';
import { setRange } from '../range/set-range.ts';
import { axisTimes, bucketText, type Stretch, stretchOf, stretchText, stretchTimes } from './bars.ts';
import './histogram.css';
import { HistogramCanvas } from './histogram-canvas.tsx';
import { useHistogram } from './use-histogram.ts';

/** Width of a bar with the gap behind it. */
const STEP_PX = 8;

interface Brush {
  readonly stretch: Stretch;
  /** Set: the range is that of the stretch, and this one comes back with Escape. */
  readonly before: Range | undefined;
  readonly range: Range | undefined;
}

/** Lines over time. A stretch that is drawn with the mouse or the keys becomes the range. */
export function HistogramStrip(tools: ToolProps) {
  const { state, url, clock } = tools;
  const [widthPx, setWidthPx] = useState(0);
  const [brush, setBrush] = useState<Brush | undefined>();
  const [cursor, setCursor] = useState<number | undefined>();
  /** While a pointer is down: the bucket where that was, and what was shown until then. */
  const [drag, setDrag] = useState<{ readonly from: number; readonly before: Brush | undefined }>();
  const plot = useRef<HTMLDivElement>(null);
  const isSet = brush?.range !== undefined;
  const histogram = useHistogram(tools, Math.floor(widthPx / STEP_PX), brush !== undefined);
  const count = histogram.others.length;

  useEffect(() => {
    const element = plot.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setWidthPx(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  // Another range was chosen elsewhere: the stretch is of the past. The address follows a moment after what is set.
  const isSeen = useRef(false);
  useEffect(() => {
    const set = brush?.range;
    if (set === undefined) isSeen.current = false;
    else if (url.from === set.from && url.to === set.to) isSeen.current = true;
    else if (isSeen.current) setBrush(undefined);
  }, [brush, url.from, url.to]);

  const apply = (stretch: Stretch) => {
    const times = stretchTimes(histogram, stretch);
    const range = { from: formatTimestamp(times.from), to: formatTimestamp(times.to) };
    const { last, from, to } = url;
    const before = brush?.before ?? {
      ...(last === undefined ? {} : { last }),
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
    };
    isSeen.current = false;
    setBrush({ stretch, before, range });
    setRange(tools, range);
  };
  const restore = () => {
    const before = brush?.before;
    setBrush(undefined);
    setCursor(undefined);
    if (isSet && before !== undefined) setRange(tools, before);
  };
  const isDragging = drag !== undefined;
  const cancel = () => {
    setDrag(undefined);
    setBrush(drag?.before);
  };
  useRestoreKey(isSet || isDragging, isDragging, isDragging ? cancel : restore);

  const bucketAt = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    return Math.floor(((event.clientX - box.left) / box.width) * count);
  };
  const draw = (a: number, b: number) =>
    setBrush((now) => ({ stretch: stretchOf(a, b, count), before: now?.before, range: undefined }));
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (count === 0 || event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const from = bucketAt(event);
    setDrag({ from, before: brush });
    draw(from, from);
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (drag !== undefined) draw(drag.from, bucketAt(event));
  };
  const onPointerUp = (event: PointerEvent<HTMLElement>) => {
    setDrag(undefined);
    if (drag !== undefined) apply(stretchOf(drag.from, bucketAt(event), count));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (count === 0) return;
    const at = cursor ?? count - 1;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: count - 1 }[event.key];
    if (to !== undefined) {
      const next = Math.min(Math.max(to, 0), count - 1);
      const { first, last } = brush?.stretch ?? { first: at, last: at };
      // With Shift the other end of the stretch stays.
      draw(event.shiftKey ? (at === first ? last : first) : next, next);
      setCursor(next);
    } else if (event.key === 'Enter' || event.key === ' ') {
      apply(brush?.stretch ?? stretchOf(at, at, count));
    } else if (event.key === 'Escape' && brush !== undefined) restore();
    else return;
    event.preventDefault();
  };

  const stretch = brush?.stretch;
  const all = count === 0 ? 'No lines' : stretchText(histogram, { first: 0, last: count - 1 }, clock);
  const shown = stretch === undefined ? all : stretchText(histogram, stretch, clock);
  return (
    <section className="histogram" aria-label="Lines over time">
      <div className="histogram-label">
        {count === 0 ? 'Lines' : `Lines per ${bucketText(histogram.bucketSeconds)}`}
        {isSet ? (
          <button type="button" className="text-button" title={`${shown}. Escape restores`} onClick={restore}>
            Restore the range
          </button>
        ) : (
          <b>{Math.round(state.status.receivedPerSecond).toLocaleString('en')}/s now</b>
        )}
      </div>
      <div className="histogram-plot">
        <div
          ref={plot}
          className="histogram-bars"
          role="slider"
          tabIndex={0}
          aria-label="Time range of the lines"
          aria-valuemin={0}
          aria-valuemax={Math.max(0, count - 1)}
          aria-valuenow={cursor ?? Math.max(0, count - 1)}
          aria-valuetext={shown}
          aria-description="Arrows choose a time, with Shift a stretch, Enter shows it, Escape restores"
          title={shown}
          data-buckets={count}
          data-brush={stretch === undefined ? undefined : isSet ? 'set' : 'drawing'}
          onPointerDown={onPointerDown}
          onPointerMove={onPointerMove}
          onPointerUp={onPointerUp}
          onPointerCancel={cancel}
          onKeyDown={onKeyDown}
        >
          <HistogramCanvas histogram={histogram} widthPx={widthPx} />
          {stretch === undefined || count === 0 ? null : (
            <span
              className="histogram-brush"
              style={{
                left: `${(stretch.first / count) * 100}%`,
                width: `${((stretch.last - stretch.first + 1) / count) * 100}%`,
              }}
            />
          )}
        </div>
        <div className="histogram-axis" aria-hidden="true">
          {axisTimes(histogram, widthPx, clock).map((text, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a place on the axis
            <span key={index}>{text}</span>
          ))}
        </div>
      </div>
    </section>
  );
}

/** Escape restores wherever the focus is, unless something nearer has a use for it; a drag is the nearest of all. */
function useRestoreKey(isOn: boolean, isFirst: boolean, restore: () => void): void {
  const latest = useRef(restore);
  useEffect(() => {
    latest.current = restore;
  });
  useEffect(() => {
    if (!isOn) return;
    const onKey = (event: globalThis.KeyboardEvent) => {
      const at = event.target as Element;
      if (event.key !== 'Escape' || event.defaultPrevented || at.closest('input, [role="dialog"]') !== null)
        return;
      event.preventDefault();
      if (isFirst) event.stopPropagation();
      latest.current();
    };
    addEventListener('keydown', onKey, isFirst);
    return () => removeEventListener('keydown', onKey, isFirst);
  }, [isOn, isFirst]);
}

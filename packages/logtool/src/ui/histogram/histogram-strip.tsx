import './event-marks.css';
import './histogram.css';
import { timestampToMs } from '@logtool/kube/src/values/timestamp.ts';
import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { useForcedColors, useNarrow } from '../app/chrome/use-narrow.ts';
import type { ZoneClock } from '../console/state/zone-time.ts';
import type { ToolProps } from '../console/tools/slots.ts';
import {
  countingText,
  countRestText,
  emptyChartText,
  errorsBeginTitle,
  rateText,
} from '../messages/coverage.ts';
import { datedTimeText, dateText, onlyDayText } from '../messages/dated-time.ts';
import { imageChangeText } from '../messages/facts.ts';
import { rolloutTitle } from '../messages/rollouts.ts';
import { currentTheme, onThemeChange } from '../theme/theme.ts';
import type { Histogram } from '../worker/protocol/protocol.ts';
import { unlessGone } from '../worker/session/log-worker-client.ts';
import {
  axisTicks,
  barsOf,
  bucketText,
  gapMarksOf,
  leftOutText,
  stretchOf,
  stretchText,
  unreadOf,
} from './bars.ts';
import { type BrushControl, useBrush } from './use-brush.ts';

const HEIGHT_PX = 40;
/** In a narrow window. */
const LOW_PX = 24;
const COLORS = { error: '--err', warning: '--warn', other: '--bar', unread: '--faint' } as const;
/** Space for letters below the bars, used if colors cannot distinguish them. */
const LETTER_PX = 10;

interface HistogramCanvasProps {
  readonly histogram: Histogram;
  readonly widthPx: number;
  readonly heightPx: number;
}

const EMPTY: Histogram = { fromSeconds: 0, bucketSeconds: 1, errors: [], warnings: [], others: [] };
/** Refresh interval of the strip while lines stream. */
const REFRESH_MS = 1_000;
/** Refresh interval of a chart that ends now and gets no lines. */
const SILENT_REFRESH_MS = 10_000;

/** Width of a bar with the gap after it. */
const STEP_PX = 8;

/** Lines over time. Selecting a stretch with the mouse or the keys makes it the range. */
export function HistogramStrip(tools: ToolProps) {
  const { clock } = tools;
  const plot = useRef<HTMLDivElement>(null);
  const widthPx = useWidth(plot);
  const control = useBrush(tools);
  const { brush, stretch } = control;
  const { histogram, isOld } = useHistogram(tools, Math.floor(widthPx / STEP_PX), brush.state === 'drawing');
  const count = histogram.others.length;
  const { status, problems } = tools.state;
  const all = isOld
    ? 'Reading…'
    : count === 0
      ? emptyChartText(status, problems.length === 0)
      : stretchText(histogram, { first: 0, last: count - 1 }, clock, Date.now());
  const shown = stretch === undefined ? all : stretchText(histogram, stretch, clock, Date.now());
  return (
    <section className="histogram" aria-label="Lines over time">
      <div className="histogram-label">
        <span>
          {count === 0 ? 'Lines' : `Lines per ${bucketText(histogram.bucketSeconds)}`}
          {leftOutText(histogram)}
        </span>
        {brush.state === 'set' ? (
          <button
            type="button"
            className="text-button"
            title="Escape restores the range too"
            onClick={control.restore}
          >
            Restore range
          </button>
        ) : null}
        <CountState {...tools} isOld={isOld} />
        <ErrorsBegin {...tools} />
      </div>
      <div className="histogram-plot">
        <Bars plot={plot} histogram={histogram} widthPx={widthPx} control={control} shown={shown} />
        <Axis histogram={histogram} widthPx={widthPx} clock={clock} />
      </div>
    </section>
  );
}

/** Shows where errors become more frequent, with a button that goes there. */
function ErrorsBegin({ state, session, clock }: ToolProps) {
  const { errorsBegin: at, bucketMs, fromMs, toMs } = state.status.scan ?? {};
  if (at === undefined || bucketMs === undefined) return null;
  const nowMs = Date.now();
  const day = onlyDayText(clock, fromMs ?? timestampToMs(at), toMs ?? nowMs) ?? dateText(clock, nowMs);
  return (
    <button
      type="button"
      className="text-button errors-begin"
      title={errorsBeginTitle(bucketText(bucketMs / 1_000))}
      onClick={() => unlessGone(session.jump({ at: 'time', ...at }, 'middle'))}
    >
      errors begin {datedTimeText(clock, timestampToMs(at), day)}
    </button>
  );
}

/**
 * Shows whether the bars cover the whole range, with a button that counts the rest; otherwise the rate of new
 * lines.
 */
function CountState({ state: { status }, session, isOld }: ToolProps & { readonly isOld: boolean }) {
  const { scan, isCountCut } = status;
  if (isOld || scan?.state === 'reading') return <b>{countingText(scan?.progress)}</b>;
  const text = scan === undefined ? (isCountCut ? 'Count all logs' : undefined) : countRestText(scan);
  if (text === undefined) return <b>{rateText(status)}</b>;
  return (
    <button type="button" className="text-button" onClick={() => session.worker.send({ type: 'read-rest' })}>
      {text}
    </button>
  );
}

function useWidth(plot: RefObject<HTMLElement | null>): number {
  const [widthPx, setWidthPx] = useState(0);
  useEffect(() => {
    const element = plot.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setWidthPx(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [plot]);
  return widthPx;
}

interface BarsProps {
  readonly plot: RefObject<HTMLDivElement | null>;
  readonly histogram: Histogram;
  readonly widthPx: number;
  readonly control: BrushControl;
  /** Describes the selection. */
  readonly shown: string;
}

/** The bars: a slider for keys, a drawing surface for the pointer. */
function Bars({ plot, histogram, widthPx, control, shown }: BarsProps) {
  const count = histogram.others.length;
  const { brush, stretch } = control;
  const heightPx = useNarrow() ? LOW_PX : HEIGHT_PX;
  const { cursor, onKeyDown, restore } = useBarKeys(histogram, control);
  const isDragging = brush.state === 'drawing' && brush.origin !== undefined;
  useRestoreKey(brush.state === 'set' || isDragging, isDragging, isDragging ? control.cancel : restore);
  const bucketAt = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    return Math.floor(((event.clientX - box.left) / box.width) * count);
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (count === 0 || event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    control.press(bucketAt(event), count);
  };
  const last = Math.max(0, count - 1);
  return (
    <div
      ref={plot}
      className="histogram-bars"
      role="slider"
      tabIndex={0}
      aria-label="Time range of the lines"
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={cursor ?? last}
      aria-valuetext={shown}
      aria-description="Arrow keys choose a time, with Shift a range; Enter shows it, Escape restores the previous range"
      title={shown}
      data-buckets={count}
      data-brush={brush.state === 'none' ? undefined : brush.state}
      onPointerDown={onPointerDown}
      onPointerMove={(event) => control.drag(bucketAt(event), count)}
      onPointerUp={(event) => control.release(bucketAt(event), histogram)}
      onPointerCancel={control.cancel}
      onKeyDown={onKeyDown}
    >
      <HistogramCanvas histogram={histogram} widthPx={widthPx} heightPx={heightPx} />
      <EventMarks histogram={histogram} />
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
  );
}

/** Marks cluster events above the bars, and draws rollouts as bands behind them. */
function EventMarks({ histogram: { facts = [], rollouts = [], others } }: { readonly histogram: Histogram }) {
  const percent = (bucket: number) => `${(bucket / others.length) * 100}%`;
  return (
    <>
      {rollouts.map((rollout) => (
        <span
          key={`${rollout.first} ${rollout.revision} ${imageChangeText(rollout.images)}`}
          aria-hidden="true"
          className={`rollout-band ${rollout.isGoingOn ? 'going-on' : ''}`}
          style={{ left: percent(rollout.first), width: percent(rollout.last - rollout.first + 1) }}
        >
          {/* At the end of the chart there is no space to the right. */}
          <span className={rollout.first > others.length / 2 ? 'to-left' : undefined}>
            {rolloutTitle(rollout)}
          </span>
        </span>
      ))}
      {facts.map(({ bucket, severity }) => (
        <i
          key={bucket}
          aria-hidden="true"
          className={`event-mark ${severity}`}
          data-event-mark={severity}
          style={{ left: percent(bucket + 0.5) }}
        />
      ))}
    </>
  );
}

interface AxisProps {
  readonly histogram: Histogram;
  readonly widthPx: number;
  readonly clock: ZoneClock;
}

function Axis({ histogram, widthPx, clock }: AxisProps) {
  return (
    <div className="histogram-axis" aria-hidden="true">
      {axisTicks(histogram, widthPx, clock).map(({ share, text }) => (
        <span key={share} style={{ left: `${share * 100}%` }}>
          {text}
        </span>
      ))}
    </div>
  );
}

interface BarKeys {
  /** The bucket that the keys act on. */
  readonly cursor: number | undefined;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly restore: () => void;
}

/** Arrows, Home and End move, with Shift they extend the stretch; Enter makes the stretch the range. */
function useBarKeys(histogram: Histogram, control: BrushControl): BarKeys {
  const [movedTo, setCursor] = useState<number | undefined>();
  // Without a stretch, the keys start again at the newest lines.
  const cursor = control.stretch === undefined ? undefined : movedTo;
  const count = histogram.others.length;
  const at = cursor ?? count - 1;
  const restore = () => {
    setCursor(undefined);
    control.restore();
  };
  const move = (to: number, draws: boolean) => {
    const next = Math.min(Math.max(to, 0), count - 1);
    const { first, last } = control.stretch ?? { first: at, last: at };
    // With Shift, the other end of the stretch stays fixed.
    const other = at === first ? last : first;
    control.draw(stretchOf(draws ? other : next, next, count));
    setCursor(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (count === 0) return;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: count - 1 }[event.key];
    const isApply = event.key === 'Enter' || event.key === ' ';
    if (to !== undefined) move(to, event.shiftKey);
    else if (isApply) control.apply(control.stretch ?? stretchOf(at, at, count), histogram);
    else if (event.key === 'Escape' && control.stretch !== undefined) restore();
    else return;
    event.preventDefault();
  };
  return { cursor, onKeyDown, restore };
}

/**
 * Escape restores the range wherever the focus is, unless a closer element handles it; a drag comes before
 * all others.
 */
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

interface ShownHistogram {
  readonly histogram: Histogram;
  /** The histogram belongs to other filters, or covers less than the counts beside it. */
  readonly isOld: boolean;
}

/** Returns the histogram of the view; while `isHeld`, the previous one. */
function useHistogram(
  { worker, state }: Pick<ToolProps, 'worker' | 'state'>,
  buckets: number,
  isHeld: boolean,
): ShownHistogram {
  const [histogram, setHistogram] = useState(EMPTY);
  const [answeredBasis, setAnsweredBasis] = useState('');
  const askedAtMs = useRef(0);
  const { version, lines, scan, asked } = state.status;
  const tick = useTick(scan !== undefined && scan.toMs === undefined);
  const counted = JSON.stringify([scan?.state, scan?.lines, scan?.readToMs]);
  // Streaming lines refresh the bars at intervals; a different range of the counts does so at once.
  const basis = JSON.stringify([asked, scan?.state, scan?.readToMs, buckets]);
  const isOld = !isHeld && (!state.isAnswered || basis !== answeredBasis);
  // biome-ignore lint/correctness/useExhaustiveDependencies: lines that come, filters that change and more counted lines request it again
  useEffect(() => {
    if (isHeld || buckets <= 0) return;
    let isOver = false;
    const ask = () => {
      askedAtMs.current = Date.now();
      const asking = worker.ask({ type: 'histogram', buckets });
      const take = (answer: { readonly histogram: Histogram }) => {
        if (isOver) return;
        setHistogram(answer.histogram);
        setAnsweredBasis(basis);
      };
      unlessGone(asking.then(take));
    };
    const waitMs = isOld ? 0 : askedAtMs.current + REFRESH_MS - Date.now();
    const timer = waitMs > 0 ? setTimeout(ask, waitMs) : undefined;
    if (timer === undefined) ask();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [worker, version, lines, counted, basis, buckets, isHeld, tick]);
  return { histogram, isOld };
}

/** Returns a number that changes as time passes. */
function useTick(isOn: boolean): number {
  const [tick, setTick] = useState(0);
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => setTick((before) => before + 1), SILENT_REFRESH_MS);
    return () => clearInterval(timer);
  }, [isOn]);
  return tick;
}

/** Draws the bars in the theme's colors. */
function HistogramCanvas({ histogram, widthPx, heightPx }: HistogramCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = useSyncExternalStore(onThemeChange, currentTheme);
  const isForced = useForcedColors();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colors change with the theme
  useEffect(() => {
    const element = canvas.current;
    const paint = element?.getContext('2d');
    if (element === null || paint === null || paint === undefined) return;
    const scale = devicePixelRatio;
    element.width = Math.round(widthPx * scale);
    element.height = Math.round(heightPx * scale);
    paint.scale(scale, scale);
    const style = getComputedStyle(element);
    const groundPx = heightPx - (isForced ? LETTER_PX : 0);
    // A ground line marks what was read, so that zero lines differs from unread.
    paint.fillStyle = isForced ? 'CanvasText' : style.getPropertyValue('--line2');
    if (histogram.others.length > 0) paint.fillRect(0, groundPx - 1, widthPx, 1);
    drawBars(paint, histogram, { widthPx, groundPx, heightPx }, (kind) => colorOf(style, kind, isForced));
    if (isForced) writeLetters(paint, histogram, widthPx, heightPx);
  }, [histogram, widthPx, heightPx, theme, isForced]);
  return <canvas ref={canvas} style={{ height: heightPx }} />;
}

interface ChartSize {
  readonly widthPx: number;
  /** Height of the bars; any letters are below it. */
  readonly groundPx: number;
  readonly heightPx: number;
}

/** Draws unread ranges, then the bars, then the gaps. */
function drawBars(
  paint: CanvasRenderingContext2D,
  histogram: Histogram,
  { widthPx, groundPx, heightPx }: ChartSize,
  colorFor: (kind: keyof typeof COLORS) => string,
): void {
  for (const { xPx, widthPx: width } of unreadOf(histogram, widthPx)) {
    paint.clearRect(xPx, 0, width, heightPx);
    hatch(paint, colorFor('unread'), { xPx, widthPx: width, heightPx: groundPx });
  }
  for (const { kind, ...bar } of barsOf(histogram, widthPx, groundPx)) {
    paint.fillStyle = colorFor(kind);
    paint.fillRect(bar.xPx, bar.yPx, bar.widthPx, bar.heightPx);
  }
  for (const { xPx, widthPx: width, isUnproven } of gapMarksOf(histogram, widthPx))
    if (isUnproven) dot(paint, colorFor('unread'), xPx, width);
    else markGap(paint, colorFor('warning'), xPx, width);
}

/** With forced colors all bars look the same; letters then mark errors and warnings. */
function colorOf(style: CSSStyleDeclaration, kind: keyof typeof COLORS, isForced: boolean): string {
  return isForced ? 'CanvasText' : style.getPropertyValue(COLORS[kind]);
}

/** Writes `E` below bars with errors, `W` below bars with only warnings. */
function writeLetters(
  paint: CanvasRenderingContext2D,
  { errors, warnings }: Histogram,
  widthPx: number,
  heightPx: number,
): void {
  paint.fillStyle = 'CanvasText';
  paint.font = '9px monospace';
  paint.textAlign = 'center';
  paint.textBaseline = 'bottom';
  const stepPx = widthPx / errors.length;
  for (const [bucket, count] of errors.entries()) {
    const letter = count > 0 ? 'E' : (warnings[bucket] ?? 0) > 0 ? 'W' : '';
    if (letter !== '') paint.fillText(letter, (bucket + 0.5) * stepPx, heightPx);
  }
}

const GAP_MARK_PX = 6;

/** Draws a band along the top that starts with a wedge: lines may be missing here. */
function markGap(paint: CanvasRenderingContext2D, color: string, xPx: number, widthPx: number): void {
  paint.fillStyle = color;
  paint.fillRect(xPx, 0, widthPx, 2);
  paint.beginPath();
  paint.moveTo(xPx - GAP_MARK_PX / 2, 0);
  paint.lineTo(xPx + GAP_MARK_PX, 0);
  paint.lineTo(xPx + GAP_MARK_PX / 4, GAP_MARK_PX);
  paint.fill();
}

const DOT_STEP_PX = 8;

/** Draws dots along the top: lines may be gone, or the container was silent. */
function dot(paint: CanvasRenderingContext2D, color: string, fromPx: number, widthPx: number): void {
  paint.fillStyle = color;
  for (let xPx = fromPx; xPx < fromPx + widthPx; xPx += DOT_STEP_PX) paint.fillRect(xPx, 0, 2, 2);
}

const HATCH_STEP_PX = 6;

/** Draws slanted lines: this range was not read. */
function hatch(
  paint: CanvasRenderingContext2D,
  color: string,
  { xPx, widthPx, heightPx }: { readonly xPx: number; readonly widthPx: number; readonly heightPx: number },
): void {
  paint.save();
  paint.beginPath();
  paint.rect(xPx, 0, widthPx, heightPx);
  paint.clip();
  paint.strokeStyle = color;
  paint.lineWidth = 1;
  paint.beginPath();
  for (let at = xPx - heightPx; at < xPx + widthPx; at += HATCH_STEP_PX) {
    paint.moveTo(at, heightPx);
    paint.lineTo(at + heightPx, 0);
  }
  paint.stroke();
  paint.restore();
}

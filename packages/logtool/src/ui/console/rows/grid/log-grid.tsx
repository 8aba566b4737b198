import {
  type CSSProperties,
  type PointerEvent,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useNow } from '../../../app/chrome/use-now.ts';
import type { EntryId, Row } from '../../../worker/protocol/protocol.ts';
import { focusQuietly } from '../../scroll/focus-log.ts';
import type { ConsoleSession } from '../../session/console-session.ts';
import { ageText, isoTime, type ZoneClock } from '../../state/zone-time.ts';
import type { ToolProps } from '../../tools/slots.ts';
import type { ConsoleColumn } from '../../url/console-url.ts';
import { type ClickedPair, clickRow, entryAt, PairTools } from './clicked-pair.tsx';
import { LogRows } from './log-rows.tsx';
import './time-tip.css';
import './log-grid.css';

interface TipAnchor {
  readonly entry: EntryId;
  readonly leftPx: number;
  readonly topPx: number;
  readonly bottomPx: number;
}

interface TimeTipProps {
  readonly position: TipAnchor;
  readonly row: Row | undefined;
  readonly clock: ZoneClock;
}

interface LogGridProps {
  readonly tools: ToolProps;
  readonly columns: readonly ConsoleColumn[];
  readonly speakers: ReadonlyMap<string, string> | undefined;
  /** grid-template-columns of the rows, and their minimum width. */
  readonly template: string;
  readonly minWidth: string;
  /** Scrolls sideways with the log. */
  readonly strip: RefObject<HTMLElement | null>;
}

/** The scrolled log: one tab stop, whose active row is announced to assistive technology. */
export function LogGrid({ tools, columns, speakers, template, minWidth, strip }: LogGridProps) {
  const { session, state, url, clock } = tools;
  const grid = useRef<HTMLDivElement>(null);
  const spacer = useRef<HTMLDivElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const [tip, setTip] = useState<TipAnchor | undefined>();
  const [pair, setPair] = useState<ClickedPair | undefined>();
  const widthPx = useScroller(session, { grid, spacer, layer });
  useTouch(grid, session.scrollsBy);
  const style = useMemo(
    () =>
      ({
        '--line-height': `${state.density}px`,
        '--columns': template,
        '--min-width': minWidth,
      }) as CSSProperties,
    [state.density, template, minWidth],
  );
  const onScroll = () => {
    setPair(undefined);
    session.scroller.scrolled();
    if (strip.current !== null) strip.current.style.translate = `${-(grid.current?.scrollLeft ?? 0)}px`;
  };
  return (
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the log are heard on the whole page */}
      <div
        ref={grid}
        className={`log-scroll ${url.wrap === true ? 'wraps' : ''}`}
        style={style}
        role="treegrid"
        tabIndex={0}
        aria-label="Lines"
        aria-multiselectable="true"
        aria-rowcount={state.status.rows}
        aria-activedescendant={state.active === undefined ? undefined : `row-${state.active}`}
        onScroll={onScroll}
        onWheel={({ deltaY }) => deltaY !== 0 && session.scrollsBy(deltaY < 0 ? -1 : 1)}
        onPointerDown={(event) => isOnScrollbar(event) && session.follow(false)}
        onMouseDown={(event) => event.shiftKey && event.preventDefault()}
        onClick={(event) => setPair(clickRow(session, event))}
        onPointerOver={(event) => setTip(tipAt(event.target as Element))}
        onPointerLeave={() => setTip(undefined)}
      >
        <div ref={spacer} className="log-spacer">
          <div className="log-view">
            <div ref={layer} className="log-layer">
              <LogRows tools={tools} columns={columns} speakers={speakers} grid={grid} widthPx={widthPx} />
            </div>
          </div>
        </div>
      </div>
      {pair === undefined ? null : <PairTools tools={tools} pair={pair} onClose={() => setPair(undefined)} />}
      {tip === undefined ? null : <TimeTip position={tip} row={session.rowOf(tip.entry)} clock={clock} />}
    </>
  );
}

/** Whether a pointer event hits the scrollbar, which is part of the element beside its content. */
function isOnScrollbar(event: PointerEvent<HTMLDivElement>): boolean {
  const { target, currentTarget, nativeEvent } = event;
  return target === currentTarget && nativeEvent.offsetX >= currentTarget.clientWidth;
}

interface LogElements {
  readonly grid: RefObject<HTMLDivElement | null>;
  readonly spacer: RefObject<HTMLDivElement | null>;
  readonly layer: RefObject<HTMLDivElement | null>;
}

/** Passes the elements of the log to the scroller. Returns the width of the log, px. */
function useScroller({ scroller }: ConsoleSession, { grid, spacer, layer }: LogElements): number {
  const [widthPx, setWidthPx] = useState(0);
  useEffect(() => {
    const pane = grid.current;
    if (pane === null) return;
    scroller.attach({
      get scrollTop() {
        return pane.scrollTop;
      },

      set scrollTop(px) {
        pane.scrollTop = px;
      },
      setSpacer: (px) => spacer.current?.style.setProperty('height', `${px}px`),
      setLayer: (px) => layer.current?.style.setProperty('transform', `translateY(${px}px)`),
    });
    const observer = new ResizeObserver(() => {
      pane.style.setProperty('--view', `${pane.clientHeight}px`);
      scroller.resize(pane.clientHeight);
      setWidthPx(pane.clientWidth);
    });
    observer.observe(pane);
    const showFocus = focusQuietly(pane);
    return () => {
      showFocus();
      observer.disconnect();
      scroller.attach(undefined);
    };
  }, [scroller, grid, spacer, layer]);
  return widthPx;
}

function tipAt(target: Element): TipAnchor | undefined {
  const cell = target.closest('[data-time]');
  const entry = cell === null ? undefined : entryAt(cell);
  if (cell === null || entry === undefined) return undefined;
  const { left, bottom, top } = cell.getBoundingClientRect();
  return { entry, leftPx: left, topPx: top, bottomPx: bottom };
}

/** Detects a finger that drags the log: down to see older lines (-1), or up. */
function useTouch(grid: RefObject<HTMLElement | null>, onDrag: (direction: -1 | 1) => void): void {
  const drag = useRef(onDrag);
  useEffect(() => {
    drag.current = onDrag;
  });
  useEffect(() => {
    const element = grid.current;
    let lastY = 0;
    const start = (event: TouchEvent) => {
      lastY = event.touches[0]?.clientY ?? 0;
    };
    const move = (event: TouchEvent) => {
      const y = event.touches[0]?.clientY ?? 0;
      if (y !== lastY) drag.current(y > lastY ? -1 : 1);
      lastY = y;
    };
    element?.addEventListener('touchstart', start, { passive: true });
    element?.addEventListener('touchmove', move, { passive: true });
    return () => {
      element?.removeEventListener('touchstart', start);
      element?.removeEventListener('touchmove', move);
    };
  }, [grid]);
}

/** The full time of a line, and how long ago that was. */
function TimeTip({ position, row, clock }: TimeTipProps) {
  const nowMs = useNow();
  if (row === undefined || row.kind === 'missing') return null;
  const isLow = position.bottomPx + 32 > innerHeight;
  return (
    <div
      className="time-tip"
      role="tooltip"
      style={{ left: position.leftPx, top: isLow ? position.topPx - 28 : position.bottomPx + 2 }}
    >
      {isoTime(clock, row)} · {ageText(row, nowMs)}
    </div>
  );
}

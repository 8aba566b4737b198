import { type MouseEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react';
import { unlessGone } from '../../worker/session/log-worker-client.ts';
import type { ToolProps } from '../session/slots.ts';
import type { ConsoleColumn } from '../url/console-url.ts';
import { gridTemplate } from './cells.tsx';
import { LogRows } from './log-rows.tsx';
import { TimeTip, type TipPlace } from './time-tip.tsx';

interface LogGridProps {
  readonly tools: ToolProps;
  readonly columns: readonly ConsoleColumn[];
}

/** The scrolled log: one tab stop, whose active row assistive technology is told of. */
export function LogGrid({ tools, columns }: LogGridProps) {
  const { session, state, url, clock } = tools;
  const { scroller } = session;
  const grid = useRef<HTMLDivElement>(null);
  const spacer = useRef<HTMLDivElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const [widthPx, setWidthPx] = useState(0);
  const [tip, setTip] = useState<TipPlace | undefined>();
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
    pane.focus({ preventScroll: true });
    return () => {
      observer.disconnect();
      scroller.attach(undefined);
    };
  }, [scroller]);
  useTouch(grid, () => session.follow(false));
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    // The scrollbar is part of the element, beside its content.
    if (event.target === grid.current && event.nativeEvent.offsetX >= grid.current.clientWidth)
      session.follow(false);
  };
  const onClick = (event: MouseEvent<HTMLDivElement>) => {
    const target = event.target as Element;
    const entry = entryAt(target);
    if (entry === undefined || target.closest('button, a, .tree-box') !== null) return;
    // Text was marked with the mouse: the click only ended that.
    if (!event.shiftKey && getSelection()?.isCollapsed === false) return;
    const how = event.shiftKey ? 'range' : event.ctrlKey || event.metaKey ? 'toggle' : 'only';
    unlessGone(session.select(entry, how));
  };
  const style = useMemo(() => {
    const { template, leastWidth } = gridTemplate(columns);
    const px = `${state.density}px`;
    return { '--row': px, '--columns': template, '--least': leastWidth } as React.CSSProperties;
  }, [state.density, columns]);
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
        onScroll={() => scroller.scrolled()}
        onWheel={(event) => event.deltaY < 0 && session.follow(false)}
        onPointerDown={onPointerDown}
        onMouseDown={(event) => event.shiftKey && event.preventDefault()}
        onClick={onClick}
        onPointerOver={(event) => setTip(tipAt(event.target as Element))}
        onPointerLeave={() => setTip(undefined)}
      >
        <div ref={spacer} className="log-spacer">
          <div className="log-view">
            <div ref={layer} className="log-layer">
              <LogRows tools={tools} columns={columns} grid={grid} widthPx={widthPx} />
            </div>
          </div>
        </div>
      </div>
      {tip === undefined ? null : <TimeTip place={tip} row={session.rowOf(tip.entry)} clock={clock} />}
    </>
  );
}

function entryAt(target: Element): number | undefined {
  const entry = target.closest<HTMLElement>('[data-entry]')?.dataset.entry;
  return entry === undefined ? undefined : Number(entry);
}

function tipAt(target: Element): TipPlace | undefined {
  const cell = target.closest('[data-time]');
  const entry = cell === null ? undefined : entryAt(cell);
  if (cell === null || entry === undefined) return undefined;
  const { left, bottom, top } = cell.getBoundingClientRect();
  return { entry, leftPx: left, topPx: top, bottomPx: bottom };
}

/** A finger that drags the log down wants to see older lines. */
function useTouch(grid: React.RefObject<HTMLElement | null>, onBack: () => void): void {
  const back = useRef(onBack);
  useEffect(() => {
    back.current = onBack;
  });
  useEffect(() => {
    const element = grid.current;
    let lastY = 0;
    const start = (event: TouchEvent) => {
      lastY = event.touches[0]?.clientY ?? 0;
    };
    const move = (event: TouchEvent) => {
      const y = event.touches[0]?.clientY ?? 0;
      if (y > lastY) back.current();
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

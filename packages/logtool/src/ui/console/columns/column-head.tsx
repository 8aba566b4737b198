import { type KeyboardEvent, type PointerEvent, type RefObject, useRef } from 'react';
import { legibleText } from '../../ansi/plain-text.ts';
import type { ConsoleColumn } from '../url/console-url.ts';
import {
  type ColumnLayout,
  columnPx,
  isField,
  MAX_COLUMN_PX,
  MIN_COLUMN_PX,
  withinBounds,
} from './column-widths.ts';
import './column-head.css';

const STEP_PX = 8;

interface ColumnHeadProps {
  readonly columns: readonly ConsoleColumn[];
  readonly layout: ColumnLayout;
  /** grid-template-columns of the rows. */
  readonly template: string;
  /** Scrolls sideways with the log. */
  readonly strip: RefObject<HTMLDivElement | null>;
  readonly onResize: (column: ConsoleColumn, px: number) => void;
}

/** The column names above the log; dragging the edge of a column changes its width. */
export function ColumnHead({ columns, layout, template, strip, onResize }: ColumnHeadProps) {
  return (
    <div className="column-head">
      <div ref={strip} className="column-strip" style={{ gridTemplateColumns: template }}>
        <span />
        {columns.map((column, at) => (
          <span key={column} className="column-title">
            <span className="column-name">{titleOf(column, layout)}</span>
            {column === 'dot' && layout.speakerChars === 0 ? null : (
              <ColumnEdge
                name={titleOf(column, layout)}
                px={columnPx(column, layout)}
                onResize={(px) => onResize(column, px)}
                fit={() => fittingPx(at) ?? columnPx(column, layout)}
              />
            )}
          </span>
        ))}
        <span className="column-name">message</span>
      </div>
    </div>
  );
}

function titleOf(column: ConsoleColumn, { speakerChars }: ColumnLayout): string {
  if (column === 'dot') return speakerChars === 0 ? '' : 'source';
  if (column === 'timestamp') return 'time';
  return isField(column) ? legibleText(column.slice('json:'.length)) : column;
}

interface ColumnEdgeProps {
  readonly name: string;
  readonly px: number;
  readonly onResize: (px: number) => void;
  /** The width of the drawn content. */
  readonly fit: () => number;
}

/** A column edge to drag or to move with the arrow keys; Enter and double-click fit the column to its drawn content. */
function ColumnEdge({ name, px, onResize, fit }: ColumnEdgeProps) {
  const drag = useRef<{ readonly x: number; readonly px: number } | undefined>(undefined);
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { x: event.clientX, px };
  };
  const onPointerMove = (event: PointerEvent) => {
    if (drag.current !== undefined) onResize(withinBounds(drag.current.px + event.clientX - drag.current.x));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = event.key === 'Enter' ? fit() : nextPx(event, px);
    if (next === undefined) return;
    event.preventDefault();
    onResize(withinBounds(next));
  };
  const end = () => {
    drag.current = undefined;
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved
    <span
      role="separator"
      className="column-edge"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={`Width of ${name}`}
      aria-valuenow={px}
      aria-valuemin={MIN_COLUMN_PX}
      aria-valuemax={MAX_COLUMN_PX}
      title="Drag to resize; double-click to fit"
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={end}
      onPointerCancel={end}
      onDoubleClick={() => onResize(withinBounds(fit()))}
      onKeyDown={onKeyDown}
    />
  );
}

function nextPx({ key, shiftKey }: KeyboardEvent, px: number): number | undefined {
  const step = shiftKey ? STEP_PX * 4 : STEP_PX;
  switch (key) {
    case 'ArrowLeft':
      return px - step;
    case 'ArrowRight':
      return px + step;
    case 'Home':
      return MIN_COLUMN_PX;
    case 'End':
      return MAX_COLUMN_PX;
    default:
      return undefined;
  }
}

/** The widest drawn cell of a column, px; undefined if none is drawn. */
function fittingPx(at: number): number | undefined {
  const cells = document.querySelectorAll<HTMLElement>(
    `.log-scroll [data-kind="line"] > .cells > :nth-child(${at + 2})`,
  );
  if (cells.length === 0) return undefined;
  let px = MIN_COLUMN_PX;
  for (const cell of cells) {
    const hidden = [...cell.querySelectorAll<HTMLElement>('.speaker')].map(
      ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
    );
    px = Math.max(px, contentPx(cell) + Math.max(0, ...hidden));
  }
  return px;
}

/** Measures a range, because `scrollWidth` is at least the cell's width and a range is as wide as its text. */
function contentPx(cell: HTMLElement): number {
  const range = document.createRange();
  range.selectNodeContents(cell);
  const style = getComputedStyle(cell);
  const textPx = Math.max(
    range.getBoundingClientRect().width,
    cell.scrollWidth > cell.clientWidth ? cell.scrollWidth : 0,
  );
  return Math.ceil(textPx + Number.parseFloat(style.paddingLeft) + Number.parseFloat(style.paddingRight));
}

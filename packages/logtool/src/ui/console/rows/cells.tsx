import type { ReactNode } from 'react';
import { columnOf } from '../../../domain/columns.ts';
import type { Row, ViewSource } from '../../worker/session/protocol.ts';
import { unchangedChars, wallTime, type ZoneClock } from '../session/zone-time.ts';
import type { ConsoleColumn } from '../url/console-url.ts';
import { GRID_CELL } from './grid-cell.ts';
import { jsonPathText } from './json-path-text.ts';
import './hue.css';

type Line = Extract<Row, { readonly kind: 'line' }>;

const LEVEL_PX = 20;
const FIELD_PX = 144;

/** Room that columns leave to the message: with more of them the log is scrolled sideways. */
const MIN_MESSAGE = 'min(480px, 50vw)';
const PADDING_PX = 8;

/** grid-template-columns of the rows (level, columns, message), and their minimum width. */
export function gridTemplate(columns: readonly ConsoleColumn[]): {
  readonly template: string;
  readonly minWidth: string;
} {
  const widthsPx = columns.map((column) => (isField(column) ? FIELD_PX : columnOf(column).widthPx));
  const sumPx = widthsPx.reduce((sum, px) => sum + px, LEVEL_PX + PADDING_PX);
  const fixed = [LEVEL_PX, ...widthsPx].map((px) => `${px}px`).join(' ');
  return {
    template: `${fixed} minmax(${MIN_MESSAGE}, 1fr)`,
    minWidth: `calc(${sumPx}px + ${MIN_MESSAGE})`,
  };
}

interface CellProps {
  readonly column: ConsoleColumn;
  readonly row: Line;
  readonly above: Row | undefined;
  readonly source: ViewSource | undefined;
  readonly clock: ZoneClock;
}

/** One cell between level and message. */
export function Cell({ column, row, above, source, clock }: CellProps): ReactNode {
  if (column === 'timestamp') return <TimeCell row={row} above={above} clock={clock} />;
  if (column === 'dot') {
    const name = source === undefined ? '' : `${source.pod}/${source.container}`;
    return (
      <span {...GRID_CELL} className="dot-cell" title={name}>
        <span className={`hue hue-${(source?.hue ?? 0) % 12}`} />
      </span>
    );
  }
  const text = isField(column) ? jsonPathText(row, column.slice('json:'.length)) : source?.[column];
  return (
    <span {...GRID_CELL} className="cell" title={text}>
      {text}
    </span>
  );
}

function TimeCell({ row, above, clock }: Pick<CellProps, 'row' | 'above' | 'clock'>) {
  const { time } = wallTime(clock, row);
  const before = above === undefined || above.kind === 'missing' ? undefined : wallTime(clock, above).time;
  const same = unchangedChars(time, before);
  return (
    <span {...GRID_CELL} className="time" data-time>
      {same === 0 ? null : <span className="same">{time.slice(0, same)}</span>}
      {time.slice(same)}
    </span>
  );
}

function isField(column: ConsoleColumn): column is `json:${string}` {
  return column.startsWith('json:');
}

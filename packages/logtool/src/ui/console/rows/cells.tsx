import type { ReactNode } from 'react';
import type { ColumnName } from '../../../domain/columns.ts';
import type { Row, ViewSource } from '../../worker/session/protocol.ts';
import { unchangedChars, wallTime, type ZoneClock } from '../session/zone-time.ts';
import type { ConsoleColumn } from '../url/console-url.ts';
import { GRID_CELL } from './grid-cell.ts';
import { jsonPathText } from './json-path-text.ts';

type Line = Extract<Row, { readonly kind: 'line' }>;

const WIDTHS_PX: { readonly [C in ColumnName]: number } = {
  timestamp: 98,
  dot: 15,
  node: 144,
  region: 104,
  zone: 112,
  os: 64,
  arch: 64,
  namespace: 112,
  pod: 192,
  container: 112,
};
const LEVEL_PX = 20;
const FIELD_PX = 144;

/** Room that columns leave to the message: with more of them the log is scrolled sideways. */
const MESSAGE_LEAST = 'min(480px, 50vw)';
const PADDING_PX = 8;

/** grid-template-columns of the rows (level, columns, message), and their least width. */
export function gridTemplate(columns: readonly ConsoleColumn[]): {
  readonly template: string;
  readonly leastWidth: string;
} {
  const widthsPx = columns.map((column) => (isField(column) ? FIELD_PX : WIDTHS_PX[column]));
  const sumPx = widthsPx.reduce((sum, px) => sum + px, LEVEL_PX + PADDING_PX);
  const fixed = [LEVEL_PX, ...widthsPx].map((px) => `${px}px`).join(' ');
  return {
    template: `${fixed} minmax(${MESSAGE_LEAST}, 1fr)`,
    leastWidth: `calc(${sumPx}px + ${MESSAGE_LEAST})`,
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

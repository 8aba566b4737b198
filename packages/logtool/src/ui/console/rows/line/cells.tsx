import './hue.css';
import './speaker.css';
import type { ReactNode } from 'react';
import { stripSgrText } from '../../../../domain/ansi.ts';
import { identityOf } from '../../../../domain/speakers/hues.ts';
import { legibleText } from '../../../ansi/plain-text.ts';
import type { Row, ViewSource } from '../../../worker/protocol/protocol.ts';
import { isField } from '../../columns/column-widths.ts';
import { structuredOf } from '../../session/line-fields.ts';
import { unchangedChars, wallTime, type ZoneClock } from '../../state/zone-time.ts';
import type { ConsoleColumn } from '../../url/console-url.ts';
import { GRID_CELL } from './grid-cell.ts';

/** Longer lines are not parsed for columns: rows are drawn sixty times a second. */
const LIMIT_UNITS = 64_000;
const SHOWN_UNITS = 300;

type Line = Extract<Row, { readonly kind: 'line' }>;

interface CellProps {
  readonly column: ConsoleColumn;
  readonly row: Line;
  readonly above: Row | undefined;
  readonly source: ViewSource | undefined;
  readonly clock: ZoneClock;
  /** Short names of containers, by `identityOf`; undefined: no names. */
  readonly speakers: ReadonlyMap<string, string> | undefined;
}

/** One cell between level and message. */
export function Cell({ column, row, above, source, clock, speakers }: CellProps): ReactNode {
  if (column === 'timestamp') return <TimeCell row={row} above={above} clock={clock} />;
  if (column === 'dot') {
    const name = source === undefined ? '' : `${source.pod}/${source.container}`;
    return (
      <span {...GRID_CELL} className={speakers === undefined ? 'dot-cell' : 'dot-cell named'} title={name}>
        <span className={`hue hue-${source?.hue ?? 0}`} />
        {speakers === undefined || source === undefined ? null : (
          <span className="speaker">
            <bdi>{speakers.get(identityOf(source))}</bdi>
          </span>
        )}
      </span>
    );
  }
  const text = isField(column) ? fieldText(row, column.slice('json:'.length)) : source?.[column];
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

/** Returns a line's value at a path as text (`req.route`; also finds a key with dots); undefined: none. */
function fieldText(row: Line, path: string): string | undefined {
  if (row.text.length > LIMIT_UNITS) return undefined;
  const found = row.isJson ? jsonValue(row.text, path) : textValue(row, path);
  if (found === undefined) return undefined;
  const text = typeof found === 'string' ? found : JSON.stringify(found);
  return legibleText(text.slice(0, SHOWN_UNITS).replace(/\s*[\r\n]+\s*/g, ' '));
}

function jsonValue(line: string, path: string): unknown {
  try {
    return valueAt(JSON.parse(stripSgrText(line).text), path);
  } catch {
    return undefined;
  }
}

/** The value in logfmt, klog and other parsed formats. */
function textValue(row: Line, path: string): string | undefined {
  const structured = structuredOf(row);
  if (structured === undefined) return undefined;
  const { fields, hidden } = structured;
  return [...fields, ...hidden].find(({ key }) => key === path)?.value;
}

/** Reads own properties only, because a path may come from a link. */
function valueAt(value: unknown, path: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.hasOwn(value, path)) return (value as Record<string, unknown>)[path];
  for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1)) {
    const key = path.slice(0, dot);
    if (!Object.hasOwn(value, key)) continue;
    const found = valueAt((value as Record<string, unknown>)[key], path.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

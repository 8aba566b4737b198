import { memo, useEffect, useRef } from 'react';
import { Icon } from '../../app/chrome/icons.tsx';
import { JsonTree } from '../../json-tree/json-tree.tsx';
import type { EntryId, Row, ViewSource } from '../../worker/session/protocol.ts';
import type { ConsoleSession } from '../session/console-session.ts';
import type { SetUrl } from '../session/slots.ts';
import { wallTime, type ZoneClock } from '../session/zone-time.ts';
import type { ConsoleColumn, ConsoleUrl } from '../url/console-url.ts';
import { Cell } from './cells.tsx';
import type { DrawnRow } from './draw-rows.ts';
import { focusLog } from './focus-log.ts';
import { GRID_CELL } from './grid-cell.ts';
import { MarkerRow } from './marker-row.tsx';
import { Message } from './message.tsx';
import { MissingRow } from './missing-row.tsx';

interface LogRowProps {
  readonly drawn: DrawnRow;
  readonly source: ViewSource | undefined;
  readonly columns: readonly ConsoleColumn[];
  readonly clock: ZoneClock;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly isOpen: boolean;
  readonly wraps: boolean;
  readonly session: ConsoleSession;
  readonly tree: { readonly url: ConsoleUrl; readonly setUrl: SetUrl } | undefined;
}

const LETTERS = { fatal: 'F', error: 'E', warn: 'W', info: 'I', debug: 'D', trace: 'T' } as const;
const TINTS = { fatal: 'e', error: 'e', warn: 'w', info: '', debug: 'd', trace: 'd' } as const;

/** One row. Drawn anew only when something of it changed. */
export const LogRow = memo(function LogRow(props: LogRowProps) {
  const { drawn, columns, source, clock, isActive, isSelected, isOpen, session } = props;
  const { row, yPx, above, inError } = drawn;
  const state = `${isActive ? 'cur' : ''} ${isSelected ? 'sel' : ''}`;
  const common = {
    id: `row-${row.entry}`,
    role: 'row',
    'data-entry': row.entry,
    'data-kind': row.kind,
    'aria-rowindex': row.index + 1,
    'aria-selected': isSelected,
    style: { top: yPx },
  } as const;
  if (row.kind === 'marker') {
    return (
      <div {...common} className={`ev ${row.isWarning ? 'gap' : ''} ${state}`} data-marker={row.marker}>
        <MarkerRow row={row} source={source} />
      </div>
    );
  }
  if (row.kind === 'missing') {
    return (
      <div {...common} className={`ev gap ${state}`}>
        <MissingRow row={row} onLoad={() => session.toggle(row.entry)} />
      </div>
    );
  }
  const tint = row.level === undefined ? (inError ? 'e' : '') : TINTS[row.level];
  const isMinute = above !== undefined && above.kind !== 'missing' && isNewMinute(clock, row, above);
  return (
    <div
      {...common}
      className={`line ${tint} ${isMinute ? 'min' : ''} ${state}`}
      data-source={source?.id}
      data-level={row.level}
      {...(row.isJson ? { 'aria-expanded': isOpen } : {})}
    >
      <div className="cells">
        <span {...GRID_CELL} className="level" title={row.level}>
          {row.level === undefined ? '' : LETTERS[row.level]}
        </span>
        {columns.map((column) => (
          <Cell key={column} column={column} row={row} above={above} source={source} clock={clock} />
        ))}
        <Message row={row} wraps={props.wraps} isActive={isActive} />
        {row.isJson ? (
          <span {...GRID_CELL} className="open-tree">
            <button
              type="button"
              tabIndex={-1}
              aria-label={isOpen ? 'Close the fields' : 'Show the fields'}
              onClick={() => session.toggle(row.entry)}
            >
              <Icon name="chevron" />
            </button>
          </span>
        ) : null}
      </div>
      {isMinute && isNewDay(clock, row, above) ? (
        <span className="day">{wallTime(clock, row).date}</span>
      ) : null}
      {props.tree === undefined ? null : (
        <TreeBox entry={row.entry} session={session}>
          <JsonTree
            row={row}
            url={props.tree.url}
            setUrl={props.tree.setUrl}
            onLeave={focusLog}
            onClose={(entry) => session.toggle(entry)}
          />
        </TreeBox>
      )}
    </div>
  );
});

interface TreeBoxProps {
  readonly entry: EntryId;
  readonly session: ConsoleSession;
  readonly children: React.ReactNode;
}

/** What opens below a line; when its height changes, the rows around make room. */
function TreeBox({ entry, session, children }: TreeBoxProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      const heightPx = element.closest<HTMLElement>('[data-entry]')?.offsetHeight;
      if (heightPx !== undefined) session.scroller.measured(new Map([[entry, heightPx]]));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [entry, session]);
  return (
    <div ref={box} className="tree-box" {...GRID_CELL}>
      {children}
    </div>
  );
}

type Timed = Exclude<Row, { readonly kind: 'missing' }>;

function isNewMinute(clock: ZoneClock, row: Timed, above: Timed): boolean {
  const minute = ({ seconds }: Timed) => Math.floor((seconds + clock.offsetSeconds(seconds)) / 60);
  return minute(row) !== minute(above);
}

function isNewDay(clock: ZoneClock, row: Timed, above: Row | undefined): boolean {
  return (
    above !== undefined &&
    above.kind !== 'missing' &&
    wallTime(clock, row).date !== wallTime(clock, above).date
  );
}

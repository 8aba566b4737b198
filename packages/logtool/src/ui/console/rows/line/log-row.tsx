import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { memo } from 'react';
import { Icon } from '../../../app/chrome/icons.tsx';
import { newPodText } from '../../../messages/rollouts.ts';
import type { Row, ViewSource } from '../../../worker/protocol/protocol.ts';
import type { DrawnRow } from '../../scroll/draw-rows.ts';
import { focusLog } from '../../scroll/focus-log.ts';
import type { ConsoleSession } from '../../session/console-session.ts';
import { hasFields } from '../../session/line-fields.ts';
import { wallTime, type ZoneClock } from '../../state/zone-time.ts';
import { useSlots } from '../../tools/slots.ts';
import type { ConsoleColumn, ConsoleUrl, SetUrl } from '../../url/console-url.ts';
import { Cell } from './cells.tsx';
import { MarkerText, MissingText } from './event-text.tsx';
import { FactRow } from './fact-row.tsx';
import { GRID_CELL } from './grid-cell.ts';
import { LineDetails } from './line-details.tsx';
import { Message } from './message.tsx';
import { OpenedBox } from './opened-box.tsx';
import { EqualFold, RecordFold, recordEdge } from './record-fold.tsx';
import './event.css';
import './row.css';

interface LogRowProps {
  readonly drawn: DrawnRow;
  readonly source: ViewSource | undefined;
  readonly columns: readonly ConsoleColumn[];
  readonly speakers: ReadonlyMap<string, string> | undefined;
  readonly clock: ZoneClock;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly isOpen: boolean;
  /** The revision being rolled out if a pod of that rollout wrote the line before the rollout finished. */
  readonly newRevision: number | undefined;
  readonly isPinned: boolean;
  /** Whether the row is the line of the opened link. */
  readonly isLinked: boolean;
  readonly wraps: boolean;
  /** Whether lines are shown as written, without parsing. */
  readonly isRaw: boolean;
  readonly session: ConsoleSession;
  readonly tree: { readonly url: ConsoleUrl; readonly setUrl: SetUrl } | undefined;
}

const LETTERS = { fatal: 'F', error: 'E', warn: 'W', info: 'I', debug: 'D', trace: 'T' } as const;
const SEVERITY_TINTS = { normal: '', warning: 'w', fatal: 'e' } as const;
const TINTS = { fatal: 'e', error: 'e', warn: 'w', info: '', debug: 'd', trace: 'd' } as const;

/** One row. It is drawn again only when something in it changed. */
export const LogRow = memo(function LogRow(props: LogRowProps) {
  const { drawn, source, session } = props;
  const { row } = drawn;
  switch (row.kind) {
    case 'marker':
      return (
        <div
          {...frameOf(props, `ev ${row.isWarning ? 'gap' : ''}`)}
          data-marker={row.marker}
          data-time={
            row.atMs === undefined
              ? undefined
              : wallTime(props.clock, timestampFromMs(row.atMs)).time.slice(0, 8)
          }
        >
          <MarkerText row={row} source={source} />
        </div>
      );
    case 'fact': {
      const { source: about, columns, speakers, clock, isOpen, isLinked } = props;
      return (
        <div
          {...frameOf(props, `line fact ${SEVERITY_TINTS[row.fact.severity]} ${isLinked ? 'linked' : ''}`)}
          aria-current={isLinked ? 'location' : undefined}
          data-severity={row.fact.severity}
          data-fact={row.fact.kind}
        >
          <FactRow
            {...{ row, above: drawn.above, source: about, columns, speakers, clock, isOpen, session }}
          />
        </div>
      );
    }
    case 'missing':
      return (
        <div {...frameOf(props, 'ev gap')}>
          <MissingText row={row} onLoad={() => session.toggle(row.entry)} />
        </div>
      );
    case 'line':
      return <LineRow {...props} row={row} />;
  }
});

/** The parts that every row has. */
function frameOf({ drawn: { row, yPx }, isActive, isSelected, isOpen }: LogRowProps, className: string) {
  return {
    id: `row-${row.entry}`,
    className: `${className} ${isActive ? 'cur' : ''} ${isSelected ? 'sel' : ''}`,
    role: 'row',
    'data-entry': row.entry,
    'data-kind': row.kind,
    'aria-rowindex': row.index + 1,
    'aria-selected': isSelected,
    'aria-expanded': row.kind === 'line' || row.kind === 'fact' ? isOpen : undefined,
    style: { top: yPx },
  } as const;
}

type Line = Extract<Row, { readonly kind: 'line' }>;
type LineRowProps = LogRowProps & { readonly row: Line };

function LineRow(props: LineRowProps) {
  const { drawn, row, source, clock, tree, session } = props;
  const turn = turnOf(clock, row, drawn.above);
  const { isLinked } = props;
  const className = `line ${tintOf(row)} ${turn === undefined ? '' : 'min'} ${isLinked ? 'linked' : ''}`;
  return (
    <div
      {...frameOf(props, className)}
      data-source={source?.id}
      data-level={row.level}
      data-record={recordEdge(row)}
      data-rollout={props.newRevision}
      title={props.newRevision === undefined ? undefined : newPodText(props.newRevision)}
      data-pinned={props.isPinned}
      aria-current={isLinked ? 'location' : undefined}
    >
      <Cells {...props} />
      {turn === 'day' ? <span className="day">{wallTime(clock, row).date}</span> : null}
      {tree === undefined ? null : (
        <Opened row={row} source={source} clock={clock} session={session} {...tree} />
      )}
    </div>
  );
}

/** Returns the class for a line's own level, or that of its record: neighboring records say nothing about it. */
function tintOf({ level, record }: Line): string {
  const tinted = level ?? record?.level;
  return tinted === undefined ? '' : TINTS[tinted];
}

function Cells({
  row,
  drawn,
  columns,
  speakers,
  source,
  clock,
  wraps,
  isRaw,
  isActive,
  isOpen,
  session,
}: LineRowProps) {
  const message = <Message row={row} wraps={wraps} isRaw={isRaw} isActive={isActive} />;
  return (
    <div className="cells">
      <span {...GRID_CELL} className="level" title={row.level}>
        {row.level === undefined ? '' : LETTERS[row.level]}
      </span>
      {columns.map((column) => (
        <Cell
          key={column}
          column={column}
          row={row}
          above={drawn.above}
          source={source}
          clock={clock}
          speakers={speakers}
        />
      ))}
      {row.record?.line === 'head' || row.equal?.line === 'head' ? (
        <div className="with-record">
          {message}
          {row.record === undefined ? null : (
            <RecordFold record={row.record} onToggle={() => session.toggle(row.entry)} />
          )}
          {row.equal === undefined ? null : (
            <EqualFold equal={row.equal} onToggle={() => session.toggle(row.entry)} />
          )}
        </div>
      ) : (
        message
      )}
      <span {...GRID_CELL} className="open-tree">
        <button
          type="button"
          tabIndex={-1}
          aria-label={isOpen ? 'Close the line' : 'Open the line'}
          onClick={() => session.toggleDetails(row.entry)}
        >
          <Icon name="chevron" />
        </button>
      </span>
    </div>
  );
}

interface OpenedProps {
  readonly row: Line;
  readonly source: ViewSource | undefined;
  readonly clock: ZoneClock;
  readonly session: ConsoleSession;
  readonly url: ConsoleUrl;
  readonly setUrl: SetUrl;
}

/** The details below an open line. */
function Opened({ row, source, clock, session, url, setUrl }: OpenedProps) {
  const { JsonTree } = useSlots();
  return (
    <OpenedBox entry={row.entry} session={session}>
      <LineDetails row={row} source={source} clock={clock} session={session}>
        {hasFields(row) ? (
          <JsonTree
            row={row}
            url={url}
            setUrl={setUrl}
            onLeave={focusLog}
            onClose={(closed) => session.toggleDetails(closed)}
          />
        ) : null}
      </LineDetails>
    </OpenedBox>
  );
}

/** Whether a line is the first of a new minute, or of a new day. */
function turnOf(clock: ZoneClock, row: Line, above: Row | undefined): 'minute' | 'day' | undefined {
  if (above === undefined || above.kind === 'missing') return undefined;
  if (minuteOf(clock, row) === minuteOf(clock, above)) return undefined;
  return wallTime(clock, row).date === wallTime(clock, above).date ? 'minute' : 'day';
}

function minuteOf(clock: ZoneClock, { seconds }: { readonly seconds: number }): number {
  return Math.floor((seconds + clock.offsetSeconds(seconds)) / 60);
}

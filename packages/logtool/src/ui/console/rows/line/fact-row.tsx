import type { ReactNode } from 'react';
import type { Fact, FactKind } from '../../../../domain/facts/fact.ts';
import { legibleText } from '../../../ansi/plain-text.ts';
import { Icon, LineIcon } from '../../../app/chrome/icons.tsx';
import { useNarrow } from '../../../app/chrome/use-narrow.ts';
import { type FactTexts, factTexts, severityText } from '../../../messages/facts.ts';
import type { Row, ViewSource } from '../../../worker/protocol/protocol.ts';
import type { ConsoleSession } from '../../session/console-session.ts';
import { unchangedChars, wallTime, type ZoneClock } from '../../state/zone-time.ts';
import type { ConsoleColumn } from '../../url/console-url.ts';
import { FactDetails } from './fact-details.tsx';
import { GRID_CELL } from './grid-cell.ts';
import { OpenedBox } from './opened-box.tsx';
import './fact-row.css';

type FactRowData = Extract<Row, { readonly kind: 'fact' }>;

interface FactRowProps {
  readonly row: FactRowData;
  readonly above: Row | undefined;
  readonly source: ViewSource | undefined;
  readonly columns: readonly ConsoleColumn[];
  /** Container names to show beside hues; a fact's text already has its own. */
  readonly speakers: ReadonlyMap<string, string> | undefined;
  readonly clock: ZoneClock;
  readonly isOpen: boolean;
  readonly session: ConsoleSession;
}

/** The row of a fact: glyph, time, subject, label and the rest of the text. */
export function FactRow(props: FactRowProps) {
  const { row, above, source, columns, speakers, clock, isOpen, session } = props;
  const { fact, restart } = row;
  // The time appears below the times of lines; other columns only concern containers and their lines.
  const [first, second] = columns;
  const hasTime = first === 'timestamp';
  const hasHue = hasTime && second === 'dot';
  const skipped = 2 + (hasTime ? 1 : 0) + (hasHue ? 1 : 0);
  return (
    <>
      <div className="cells">
        <span {...GRID_CELL} className="level" title={severityText(fact.severity)}>
          <LineIcon path={GLYPHS[glyphOf(fact)]} />
          <span className="sr-only">{severityText(fact.severity)}</span>
        </span>
        {hasTime ? <FactTime row={row} above={above} clock={clock} /> : null}
        {hasHue ? (
          <span {...GRID_CELL} className={speakers === undefined ? 'dot-cell' : 'dot-cell named'}>
            {source === undefined ? null : <span className={`hue hue-${source.hue}`} />}
          </span>
        ) : null}
        <FactMessage texts={factTexts(fact, restart)} column={skipped}>
          {hasTime ? null : <FactTime row={row} above={above} clock={clock} />}
        </FactMessage>
        <span {...GRID_CELL} className="open-tree">
          <button
            type="button"
            tabIndex={-1}
            aria-label={isOpen ? 'Close the event' : 'Open the event'}
            onClick={() => session.toggleDetails(row.entry)}
          >
            <Icon name="chevron" />
          </button>
        </span>
      </div>
      {isOpen ? (
        <OpenedBox entry={row.entry} session={session}>
          <FactDetails fact={fact} clock={clock} />
          {restart === undefined ? null : <FactDetails fact={restart} clock={clock} />}
        </OpenedBox>
      ) : null}
    </>
  );
}

interface FactMessageProps {
  readonly texts: FactTexts;
  /** The column where the message begins. */
  readonly column: number;
  /** The cells before it. */
  readonly children: ReactNode;
}

/** The subject, and what happened; in a narrow window the event comes first, as in any row. */
function FactMessage({ texts: { subject, label, text }, column, children }: FactMessageProps) {
  const isNarrow = useNarrow();
  return (
    <>
      {isNarrow ? (
        <span {...GRID_CELL} className="fact-subject below" title={subject}>
          {/* The end of a name distinguishes pods: the beginning is cut. */}
          <bdi>{legibleText(subject)}</bdi>
        </span>
      ) : null}
      <span {...GRID_CELL} className="message fact-text" style={{ gridColumn: `${column} / -1` }}>
        {children}
        {isNarrow ? null : <span className="fact-subject">{legibleText(subject)} </span>}
        <b>{legibleText(label)}</b> {legibleText(text)}
      </span>
    </>
  );
}

/** The time of a fact; marks whole seconds, because the event happened at some point in that second. */
function FactTime({ row, above, clock }: Pick<FactRowProps, 'row' | 'above' | 'clock'>): ReactNode {
  const isWhole = row.fact.precision === 's';
  const { time } = wallTime(clock, row);
  const shown = isWhole ? `${time.slice(0, WHOLE_SECONDS)}~` : time;
  const before = above === undefined || above.kind === 'missing' ? undefined : wallTime(clock, above).time;
  const same = Math.min(unchangedChars(time, before), shown.length);
  return (
    <span
      {...GRID_CELL}
      className="time"
      data-time
      title={isWhole ? 'The cluster writes whole seconds' : undefined}
    >
      {same === 0 ? null : <span className="same">{shown.slice(0, same)}</span>}
      {shown.slice(same)}
    </span>
  );
}

/** Length of `10:00:00`, the start of `10:00:00.123`. */
const WHOLE_SECONDS = 8;

/** Drawn like the icons, on a square of 12. */
const GLYPHS = {
  stop: 'M4 1.5h4L10.5 4v4L8 10.5H4L1.5 8V4zM4.5 4.5l3 3M7.5 4.5l-3 3',
  restart: 'M10 6a4 4 0 1 1-1.2-2.8M10 1.5v2.2H7.8',
  rollout: 'M1.5 4h6M5.5 2l2 2-2 2M4.5 8h6M8.5 6l2 2-2 2',
  alert: 'M6 1.5L11 10.5H1zM6 4.8v2.4M6 8.8v.1',
  happening: 'M6 1.5L10.5 6 6 10.5 1.5 6z',
} as const;

const KIND_GLYPHS: Readonly<Partial<Record<FactKind, keyof typeof GLYPHS>>> = {
  exited: 'stop',
  evicted: 'stop',
  preempted: 'stop',
  deleted: 'stop',
  failed: 'stop',
  started: 'restart',
  restarted: 'restart',
  'node-rebooted': 'restart',
  rollout: 'rollout',
};

function glyphOf({ kind, severity }: Fact): keyof typeof GLYPHS {
  return KIND_GLYPHS[kind] ?? (severity === 'normal' ? 'happening' : 'alert');
}

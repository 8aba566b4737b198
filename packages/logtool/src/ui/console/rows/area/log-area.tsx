import { memo, useRef } from 'react';
import { DEFAULT_COLUMNS } from '../../../../domain/columns.ts';
import { Icon } from '../../../app/chrome/icons.tsx';
import { useNarrow } from '../../../app/chrome/use-narrow.ts';
import { isClusterAway } from '../../../worker/intake/cluster-away.ts';
import type { BufferStatus, Problem } from '../../../worker/protocol/protocol.ts';
import { ColumnHead } from '../../columns/column-head.tsx';
import { gridTemplate } from '../../columns/column-widths.ts';
import { useColumnLayout } from '../../columns/use-column-layout.ts';
import { focusLog } from '../../scroll/focus-log.ts';
import { useTrouble } from '../../session/use-trouble.ts';
import type { ConsoleState } from '../../state/console-state.ts';
import { canLinesCome, standingOf } from '../../state/standing.ts';
import type { ToolProps } from '../../tools/slots.ts';
import type { ConsoleColumn } from '../../url/console-url.ts';
import { LogGrid } from '../grid/log-grid.tsx';
import { EmptyLog } from './empty-log.tsx';
import { GoneLine } from './gone-line.tsx';
import { LateContainers } from './late-containers.tsx';
import { Problems } from './problems.tsx';
import './log-area.css';

interface LogAreaProps {
  readonly tools: ToolProps;
  readonly columns: readonly ConsoleColumn[] | undefined;
}

/** If the cluster does not answer at all, shows only that problem and not those of its containers. */
function useProblems(state: ConsoleState): readonly Problem[] {
  const { problems, status } = state;
  const error = useTrouble(state);
  if (error === undefined || !isClusterAway(error.code) || status.rows === status.facts.rows) return problems;
  const outage: Problem = { key: 'outage', error, source: undefined, isOutage: true };
  return [outage, ...problems.filter(({ isOutage }) => isOutage !== true)];
}

/** The log, with the problems and notes above and over it. */
export function LogArea({ tools, columns = DEFAULT_COLUMNS }: LogAreaProps) {
  const { state, session } = tools;
  const { status, newLines, isFollowing } = state;
  const problems = useProblems(state);
  // Event rows do not count as lines.
  const rows = status.rows - status.facts.rows;
  const { layout, speakers, resize } = useColumnLayout(state.sources, columns);
  const { template, minWidth } = gridTemplate(columns, layout);
  const strip = useRef<HTMLDivElement>(null);
  const isNarrow = useNarrow();
  return (
    <>
      {state.failure === undefined ? null : (
        <p className="strip fault" role="alert" data-failure>
          {state.failure}.{' '}
          <button type="button" className="text-button" onClick={() => location.reload()}>
            Reload the page
          </button>
        </p>
      )}
      <Problems problems={problems} onRetry={() => session.worker.send({ type: 'retry-now' })} />
      <LateContainers tools={tools} />
      <GoneLine tools={tools} />
      <AroundNote tools={tools} />
      {isNarrow ? null : (
        <ColumnHead columns={columns} layout={layout} template={template} strip={strip} onResize={resize} />
      )}
      <div
        className="log-area"
        data-events-only={rows === 0 && status.rows > 0}
        role="log"
        aria-label="Logs"
        aria-live="off"
      >
        <LogGrid
          tools={tools}
          columns={columns}
          speakers={speakers}
          template={template}
          minWidth={minWidth}
          strip={strip}
        />
        <ScrollTicks status={status} />
        {rows === 0 && state.failure === undefined ? <EmptyLog tools={tools} /> : null}
        {rows > 0 && status.lines === 0 && canLinesCome(standingOf(state)) ? (
          <p className="quiet-note" data-empty>
            No lines yet; following
          </p>
        ) : null}
        {newLines > 0 && !isFollowing ? <NewLines count={newLines} session={session} /> : null}
      </div>
    </>
  );
}

/** Says that filters are temporarily off, with a button to restore them. */
function AroundNote({ tools: { state, session } }: { readonly tools: ToolProps }) {
  if (state.around === undefined) return null;
  return (
    <p className="strip">
      Showing all lines around one line, filtered or not.{' '}
      <button
        type="button"
        className="text-button"
        onClick={() => {
          session.showAround(undefined);
          focusLog();
        }}
      >
        Back
      </button>
    </p>
  );
}

interface NewLinesProps {
  readonly count: number;
  readonly session: ToolProps['session'];
}

/** How many lines arrived since following ended, and a button to go to them. */
function NewLines({ count, session }: NewLinesProps) {
  return (
    <button
      type="button"
      className="pill"
      data-new-lines={count}
      onClick={() => {
        session.follow(true);
        focusLog();
      }}
    >
      {count.toLocaleString('en')} new {count === 1 ? 'line' : 'lines'} <Icon name="down" />
    </button>
  );
}

/** The positions of errors, warnings and hits, beside the scrollbar. */
const ScrollTicks = memo(function ScrollTicks({ status }: { readonly status: BufferStatus }) {
  return (
    <div className="scroll-ticks" aria-hidden="true">
      <Ticks at={status.facts.ticks} kind="event" />
      <Ticks at={status.warnTicks} kind="warn" />
      <Ticks at={status.errorTicks} kind="err" />
      <Ticks at={status.search.ticks} kind="hit" />
    </div>
  );
});

function Ticks({ at, kind }: { readonly at: readonly number[]; readonly kind: string }) {
  // Two marks at one position become one.
  const offsets = [...new Set(at.map((share) => Math.round(share * 1000) / 10))];
  return offsets.map((percent) => <i key={percent} className={kind} style={{ top: `${percent}%` }} />);
}

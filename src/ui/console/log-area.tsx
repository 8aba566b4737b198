import { DEFAULT_COLUMNS } from '../../domain/columns.ts';
import { Icon } from '../app/chrome/icons.tsx';
import type { ConsoleColumn } from './console-url.ts';
import { EmptyLog } from './empty-log.tsx';
import { LogGrid } from './log-grid.tsx';
import { Problems } from './problems.tsx';
import { ScrollTicks } from './scroll-ticks.tsx';
import type { ToolProps } from './slots.ts';

interface LogAreaProps {
  readonly tools: ToolProps;
  readonly columns: readonly ConsoleColumn[] | undefined;
}

/** The log with what is said over and about it. */
export function LogArea({ tools, columns = DEFAULT_COLUMNS }: LogAreaProps) {
  const { state, session } = tools;
  const { status, newLines, isFollowing } = state;
  return (
    <>
      {state.failure === undefined ? null : (
        <p className="strip fault" role="alert" data-failure>
          {state.failure}.{' '}
          <button type="button" className="text-button" onClick={() => location.reload()}>
            Load the page again
          </button>
        </p>
      )}
      <Problems problems={state.problems} />
      {state.around === undefined ? null : (
        <p className="strip">
          All lines around one are shown, whatever is filtered.{' '}
          <button type="button" className="text-button" onClick={() => session.showAround(undefined)}>
            Back
          </button>
        </p>
      )}
      <div className="log-area" role="log" aria-label="Logs" aria-live="off">
        <LogGrid tools={tools} columns={columns} />
        <ScrollTicks status={status} />
        {status.rows === 0 && state.failure === undefined ? <EmptyLog tools={tools} /> : null}
        {status.rows > 0 && status.lines === 0 && status.connection.state === 'live' ? (
          <p className="quiet-note" data-empty>
            No lines yet; following
          </p>
        ) : null}
        {newLines > 0 && !isFollowing ? (
          <button
            type="button"
            className="pill"
            data-new-lines={newLines}
            onClick={() => session.follow(true)}
          >
            {newLines.toLocaleString('en')} new {newLines === 1 ? 'line' : 'lines'} <Icon name="down" />
          </button>
        ) : null}
      </div>
    </>
  );
}

import { Countdown } from '../../app/chrome/countdown.tsx';
import { useShell } from '../../app/shell-context.ts';
import type { ConsoleState } from '../session/console-state.ts';
import type { ToolProps } from '../session/slots.ts';
import { wallTime, type ZoneClock } from '../session/zone-time.ts';
import { ZoneSelect } from './zone-select.tsx';

interface ConsoleStatusProps {
  readonly tools: ToolProps;
  readonly isNarrow: boolean;
}

/** The line at the bottom: the connection, and how much of the logs the page holds. */
export function ConsoleStatus({ tools, isNarrow }: ConsoleStatusProps) {
  const { state, session, url, setUrl, clock } = tools;
  const { openKeys } = useShell();
  const { status, sources } = state;
  const here = sources.filter((source) => !source.isGone);
  const containers = new Set(here.map(({ id }) => id)).size;
  const nodes = new Set(here.flatMap(({ node }) => node ?? [])).size;
  return (
    <footer className="status-bar">
      <Connection
        state={state}
        containers={containers}
        onRetry={() => session.worker.send({ type: 'retry-now' })}
      />
      {isNarrow ? null : (
        <span>
          <b>{containers.toLocaleString('en')}</b> container{containers === 1 ? '' : 's'}
          {nodes === 0 ? null : (
            <>
              {' '}
              on <b>{nodes.toLocaleString('en')}</b> node{nodes === 1 ? '' : 's'}
            </>
          )}
        </span>
      )}
      <span>
        <b>{status.lines.toLocaleString('en')}</b> line{status.lines === 1 ? '' : 's'}
        {isNarrow ? null : `, ${bytesText(status.bytes)} in the page`}
      </span>
      {status.pausedLines > 0 ? (
        <span className="waiting">
          <b>{status.pausedLines.toLocaleString('en')}</b> behind
        </span>
      ) : null}
      {isNarrow || status.oldestSeconds === undefined ? null : (
        <span>
          oldest <b>{oldestText(clock, status.oldestSeconds)}</b>
        </span>
      )}
      {status.loading === 'older' || status.loading === 'newer' || status.loading === 'jumping' ? (
        <span>loading {status.loading === 'jumping' ? '' : `${status.loading} `}lines…</span>
      ) : null}
      <span className="gap" />
      <span role="status" aria-label="Result" className="note">
        {state.note?.text}
        {state.note?.searchedBackTo === undefined
          ? null
          : `; searched back to ${oldestText(clock, state.note.searchedBackTo)}`}
      </span>
      <ZoneSelect
        zone={url.tz ?? 'local'}
        clock={clock}
        onChange={(tz) => setUrl({ tz }, { replace: true })}
      />
      {isNarrow ? null : (
        <button type="button" onClick={openKeys}>
          <kbd>?</kbd> keys
        </button>
      )}
    </footer>
  );
}

interface ConnectionProps {
  readonly state: ConsoleState;
  readonly containers: number;
  readonly onRetry: () => void;
}

function Connection({ state, containers, onRetry }: ConnectionProps) {
  const { connection, awayContainers } = state.status;
  const isCutOff = connection.state === 'reconnecting' || (connection.state === 'live' && awayContainers > 0);
  const mood = isCutOff ? 'trouble' : connection.state === 'live' ? 'live' : '';
  return (
    <span
      className={`lamp-text ${mood}`}
      role="status"
      aria-label="Connection"
      data-connection={connection.state}
    >
      <i className="lamp" aria-hidden="true" />
      {connection.state === 'reconnecting' ? (
        <span title={connection.error?.what}>
          Reconnecting {/* The seconds go by in silence. */}
          <span role="timer" aria-live="off">
            <Countdown untilMs={connection.retryAtMs} />
          </span>
          :{' '}
          <button type="button" className="text-button" onClick={onRetry}>
            Retry now
          </button>
        </span>
      ) : (
        {
          connecting: 'connecting',
          live: awayContainers === 0 ? 'connected' : cutOffText(awayContainers, containers),
          ended: 'ended',
        }[connection.state]
      )}
    </span>
  );
}

/** The page has its server, but the server has not all containers. */
function cutOffText(away: number, containers: number): string {
  if (away >= containers) return 'cluster does not answer, trying again';
  return `${away.toLocaleString('en')} of ${containers.toLocaleString('en')} containers cut off, trying again`;
}

function oldestText(clock: ZoneClock, seconds: number): string {
  const { date, time } = wallTime(clock, { seconds, nanos: 0 });
  const today = wallTime(clock, { seconds: Math.floor(Date.now() / 1000), nanos: 0 }).date;
  return date === today ? time.slice(0, 8) : `${date} ${time.slice(0, 8)}`;
}

function bytesText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1_000)} KB`;
  return `${(bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 1 : 0)} MB`;
}

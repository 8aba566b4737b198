import { useSyncExternalStore } from 'react';
import { Countdown } from '../../app/chrome/countdown.tsx';
import { serverClock } from '../../frame/server-clock.ts';
import { logMessageOf } from '../../messages/log-message-of.ts';
import { useShell } from '../../shell/shell-context.ts';
import type { BufferStatus } from '../../worker/protocol/protocol.ts';
import { unlessGone } from '../../worker/session/log-worker-client.ts';
import type { ConsoleState } from '../state/console-state.ts';
import { presentSources, type Standing, standingOf } from '../state/standing.ts';
import type { ZoneClock } from '../state/zone-time.ts';
import type { ToolProps } from '../tools/slots.ts';
import { ZoneSelect } from './zone-select.tsx';
import './console-status.css';
import { bytesText } from '../../messages/count.ts';
import { timeText } from '../../messages/dated-time.ts';
import { findingText, goOnText, jumpingText, noteText } from '../../messages/notes.ts';
import { OTHER_CLOCK_TITLE, otherClockText } from '../../messages/range.ts';
import { standingText } from '../../messages/standing.ts';

interface ConsoleStatusProps {
  readonly tools: ToolProps;
  readonly isNarrow: boolean;
}

/** The line at the bottom: the connection, and how much of the logs the page holds. */
export function ConsoleStatus({ tools, isNarrow }: ConsoleStatusProps) {
  const { state, session, url, setUrl, clock } = tools;
  const { openKeys } = useShell();
  const { status, sources } = state;
  const here = presentSources(sources);
  const containers = new Set(here.map(({ id }) => id)).size;
  return (
    <footer className="status-bar">
      <Connection state={state} onRetry={() => session.worker.send({ type: 'retry-now' })} />
      {isNarrow ? null : (
        <Containers containers={containers} nodes={new Set(here.flatMap(({ node }) => node ?? [])).size} />
      )}
      <Held status={status} isNarrow={isNarrow} clock={clock} />
      <OtherClock />
      <span className="gap" />
      <Finding status={status} state={state} session={session} />
      <Note state={state} session={session} clock={clock} />
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

function Containers({ containers, nodes }: { readonly containers: number; readonly nodes: number }) {
  return (
    <span>
      <Count of={containers} noun="container" />
      {nodes === 0 ? null : (
        <>
          {' '}
          on <Count of={nodes} noun="node" />
        </>
      )}
    </span>
  );
}

/** An emphasized number, and what it counts. */
function Count({ of, noun }: { readonly of: number; readonly noun: string }) {
  return (
    <>
      <b>{of.toLocaleString('en')}</b> {noun}
      {of === 1 ? '' : 's'}
    </>
  );
}

/** Reports that the browser's clock differs from the server's, on which ranges are reckoned. */
function OtherClock() {
  const aheadMs = useSyncExternalStore(serverClock.subscribe, () => serverClock.aheadMs);
  const text = otherClockText(aheadMs);
  return text === undefined ? null : (
    <span className="trouble" title={OTHER_CLOCK_TITLE}>
      {text}
    </span>
  );
}

interface HeldProps {
  readonly status: BufferStatus;
  readonly isNarrow: boolean;
  readonly clock: ZoneClock;
}

/** How many lines the page holds, the time of the oldest one, and whether more are loading. */
function Held({ status, isNarrow, clock }: HeldProps) {
  const loading = LOADING[status.loading];
  return (
    <>
      <span>
        <Count of={status.lines} noun="line" />
        {isNarrow ? ' loaded' : ` loaded, ${bytesText(status.bytes)}`}
      </span>
      {status.pausedLines > 0 ? (
        <span className="waiting">
          <b>{status.pausedLines.toLocaleString('en')}</b> waiting
        </span>
      ) : null}
      {isNarrow || status.oldestSeconds === undefined ? null : (
        <span>
          oldest <b>{timeText(clock, status.oldestSeconds * 1_000)}</b>
        </span>
      )}
      {loading === undefined ? null : <span>{loading}</span>}
    </>
  );
}

const LOADING: { readonly [L in BufferStatus['loading']]: string | undefined } = {
  none: undefined,
  opening: undefined,
  older: 'loading older lines…',
  newer: 'loading newer lines…',
  jumping: 'loading lines…',
};

/** The running search for a line, or the way to another position, while it reads lines that are not loaded. */
function Finding({
  status: { finding, loading },
  state: { jumpingTo },
  session,
}: Pick<ToolProps, 'session' | 'state'> & Pick<HeldProps, 'status'>) {
  const jumping = jumpingTo === undefined || loading === 'none' ? undefined : jumpingText(jumpingTo);
  const text = finding === undefined ? jumping : findingText(finding);
  return (
    <span className="finding">
      <span role="status" aria-label="Progress">
        {text}
      </span>
      {text === undefined ? null : (
        <button type="button" className="text-button" onClick={() => session.stopFinding()}>
          Stop <kbd>Esc</kbd>
        </button>
      )}
    </span>
  );
}

/** The result of an action, for eyes and screen readers. */
function Note({ state: { note }, session, clock }: Pick<ToolProps, 'state' | 'session' | 'clock'>) {
  const goOn = note === undefined ? undefined : goOnText(note);
  return (
    <span className="note">
      <span role="status" aria-label="Result" title={note === undefined ? undefined : noteText(note, clock)}>
        {note === undefined ? null : noteText(note, clock)}
        {note?.searchedBackTo === undefined
          ? null
          : `; searched back to ${timeText(clock, note.searchedBackTo * 1_000)}`}
      </span>
      {goOn === undefined ? null : (
        <button type="button" className="text-button" onClick={() => unlessGone(session.goOn())}>
          {goOn}
        </button>
      )}
    </span>
  );
}

interface ConnectionProps {
  readonly state: ConsoleState;
  readonly onRetry: () => void;
}

/** Whether lines can arrive, in one text, and if not, why. */
function Connection({ state, onRetry }: ConnectionProps) {
  const { connection } = state.status;
  const standing = standingOf(state);
  return (
    <span
      className={`lamp-text ${moodOf(standing)}`}
      role="status"
      aria-label="Connection"
      data-connection={connection.state}
    >
      <i className="lamp" aria-hidden="true" />
      {standing.kind === 'reconnecting' ? (
        <Reconnecting connection={connection} onRetry={onRetry} />
      ) : (
        standingText(standing)
      )}
    </span>
  );
}

interface ReconnectingProps {
  readonly connection: BufferStatus['connection'];
  readonly onRetry: () => void;
}

function Reconnecting({ connection, onRetry }: ReconnectingProps) {
  if (connection.state !== 'reconnecting') return null;
  const { error, retryAtMs } = connection;
  return (
    <span title={error === undefined ? undefined : logMessageOf(error).what}>
      Reconnecting {/* Screen readers do not announce the seconds. */}
      <span role="timer" aria-live="off">
        <Countdown untilMs={retryAtMs} />
      </span>
      :{' '}
      <button type="button" className="text-button" onClick={onRetry}>
        Retry now
      </button>
    </span>
  );
}

function moodOf({ kind }: Standing): 'trouble' | 'live' | '' {
  if (kind === 'connected') return 'live';
  return QUIET.includes(kind) ? '' : 'trouble';
}

const QUIET: readonly Standing['kind'][] = [
  'connecting',
  'ended',
  'all-finished',
  'awaiting-pods',
  'no-container',
  'awaiting-start',
];

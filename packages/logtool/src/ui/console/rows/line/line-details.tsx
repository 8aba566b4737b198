import { type ReactNode, useEffect, useState } from 'react';
import { AnsiText } from '../../../ansi/ansi-text.tsx';
import { legibleText } from '../../../ansi/plain-text.ts';
import type { Row, ViewSource } from '../../../worker/protocol/protocol.ts';
import { unlessGone } from '../../../worker/session/log-worker-client.ts';
import type { ConsoleSession } from '../../session/console-session.ts';
import { isoTime, type ZoneClock } from '../../state/zone-time.ts';
import './line-details.css';

/** A line of megabytes would freeze the browser; copying includes all of it. */
const LIMIT_UNITS = 100_000;

interface LineDetailsProps {
  readonly row: Extract<Row, { readonly kind: 'line' }>;
  readonly source: ViewSource | undefined;
  readonly clock: ZoneClock;
  readonly session: ConsoleSession;
  /** Its fields, directly below its text. */
  readonly children: ReactNode;
}

/** The details below a line: its full text, its time and source, and a button that shows the lines around it. */
export function LineDetails({ row, source, clock, session, children }: LineDetailsProps) {
  const text = useWholeText(row, session);
  return (
    <div className="line-details">
      <pre className="whole-text">
        <AnsiText text={text.slice(0, LIMIT_UNITS)} />
        {text.length > LIMIT_UNITS ? (
          <span className="more">
            … {(text.length - LIMIT_UNITS).toLocaleString('en')} more characters; copying includes them
          </span>
        ) : null}
      </pre>
      {children}
      <dl className="line-facts" aria-label="Where the line comes from">
        <Fact name="Time" value={isoTime(clock, row)} />
        <Fact name="Pod" value={source && `${source.namespace}/${source.pod}`} />
        <Fact name="Container" value={source?.container} />
        <Fact name="Image" value={source?.image} />
        <Fact name="Node" value={source?.node} />
        <Fact name="Run" value={source && runText(source)} />
      </dl>
      <button type="button" className="text-button" onClick={() => session.showAround(row.entry)}>
        Show all lines around this one
      </button>
    </div>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string | undefined }) {
  if (value === undefined || value === '') return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>{legibleText(value)}</dd>
    </>
  );
}

/** The first run is 1, before any restart. */
function runText({ restarts, run }: ViewSource): string {
  return `${restarts + 1}${run === '' ? '' : ` (${run})`}`;
}

/** The line, or all lines of a folded record. */
function useWholeText(row: LineDetailsProps['row'], session: ConsoleSession): string {
  const { entry, record } = row;
  const lines = record?.line === 'head' && record.isFolded ? record.lines : 1;
  const [whole, setWhole] = useState<string | undefined>();
  useEffect(() => {
    if (lines === 1) return;
    unlessGone(
      session.worker.ask({ type: 'text', entries: [entry] }).then((answer) => setWhole(answer.text)),
    );
  }, [session, entry, lines]);
  return lines === 1 ? row.text : (whole ?? row.text);
}

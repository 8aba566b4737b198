import { type ReactNode, useState } from 'react';
import type { Fact } from '../../domain/facts/fact.ts';
import { detectLevel } from '../../domain/level.ts';
import { shownLine } from '../../domain/structured/structure-line.ts';
import { doubtText } from '../../messages/doubts.ts';
import {
  extentText,
  firstErrorHead,
  linesHead,
  newLinesHead,
  originText,
  otherText,
} from '../../messages/explanation.ts';
import { verdictText } from '../../messages/verdicts.ts';
import { legibleText } from '../ansi/plain-text.ts';
import { wallTime } from '../console/state/zone-time.ts';
import { sentence } from '../messages/sentence.ts';
import { earlierText, moreText, WHY_TEXTS } from '../messages/why.ts';
import type { ReadLine, ReadLogLine, ReadVerdict } from './read-answer.ts';
import { factHref, logHref, type WhyView } from './why-question.ts';

const encoder = new TextEncoder();

/** Number of facts shown at first: the newest. */
const SHOWN_FACTS = 5;
/** Number of lines shown at first: the last ones. */
const SHOWN_LINES = 6;

interface VerdictProps {
  readonly read: ReadVerdict;
  readonly view: WhyView;
}

/** One cause with its proof. */
export function VerdictView({ read, view }: VerdictProps) {
  const { verdict } = read;
  const extent = extentText(verdict, view.time);
  return (
    <section className="why-verdict" data-verdict={verdict.code} data-over={verdict.isOver}>
      <h3>
        {sentence(legibleText(verdictText(verdict)))}
        {verdict.isOver ? <span className="dim"> ({WHY_TEXTS.over})</span> : null}
      </h3>
      {extent === '' ? null : <p className="dim">{sentence(extent)}</p>}
      <Lines read={read} view={view} />
      <LogLines read={read} view={view} />
      <Proof read={read} view={view} />
      {verdict.doubts.length === 0 ? null : (
        <ul className="why-doubts">
          {verdict.doubts.map((doubt) => (
            <li key={JSON.stringify(doubt)}>{sentence(doubtText(doubt))}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The last lines before an exit, each a link to its row; at least all lines from the first error on. */
function Lines({ read: { lines }, view }: VerdictProps) {
  const [isWhole, setWhole] = useState(false);
  if (lines === undefined) return null;
  const count = lines.lines.length;
  const first = isWhole ? 0 : Math.max(0, Math.min(count - SHOWN_LINES, lines.firstError ?? count));
  return (
    <>
      <h4>{sentence(linesHead({ ...lines, records: lines.lines }, view.time))}</h4>
      {first === 0 ? null : (
        <button type="button" className="text-button" onClick={() => setWhole(true)}>
          {earlierText(first, 'line')}
        </button>
      )}
      <ol className="why-lines">
        {lines.lines.slice(first).map((line, index) => (
          <LineItem
            key={`${line.at.seconds}.${line.at.nanos} ${line.ordinal}`}
            line={line}
            isFirstError={first + index === lines.firstError}
            view={view}
          />
        ))}
      </ol>
    </>
  );
}

/** The new lines before a log's errors, and the first of those errors, each a link to its row. */
function LogLines({ read: { log }, view }: VerdictProps) {
  if (log === undefined) return null;
  return (
    <>
      {log.newBefore.length === 0 ? null : <h4>{sentence(newLinesHead(log))}</h4>}
      <ol className="why-lines" data-lines="new">
        {log.newBefore.map((line) => (
          <LogLineItem
            key={`${line.order} ${line.at.seconds}.${line.at.nanos} ${line.ordinal}`}
            line={line}
            view={view}
          />
        ))}
      </ol>
      <h4>{sentence(firstErrorHead(log))}</h4>
      <ol className="why-lines" data-lines="error">
        <LogLineItem line={log.firstError} isFirstError view={view} />
      </ol>
    </>
  );
}

interface LogLineItemProps {
  readonly line: ReadLogLine & { readonly count?: number; readonly isAtStart?: boolean };
  readonly isFirstError?: boolean;
  readonly view: WhyView;
}

/** A line of any container, with its origin above it. */
function LogLineItem({ line, isFirstError = false, view }: LogLineItemProps) {
  return (
    <LineItem line={line} isFirstError={isFirstError} view={view}>
      <span className="why-place dim">{originText(line)}</span>
      {line.detail === undefined ? null : (
        <span className="why-detail dim">{legibleText(line.detail.trim())}</span>
      )}
    </LineItem>
  );
}

interface LineItemProps {
  readonly children?: ReactNode;
  readonly line: ReadLine;
  readonly isFirstError: boolean;
  readonly view: WhyView;
}

/** A line as its row shows it; what the width cuts ends with an ellipsis, and the title has all of it. */
function LineItem({ line, isFirstError, view, children }: LineItemProps) {
  const {
    page: { Link },
    onGo,
    clock,
  } = view;
  const text = legibleText(line.text);
  return (
    <li data-first-error={isFirstError}>
      <Link to={logHref(view, line.at, line)} title={text} onClick={onGo}>
        <span className="dim">{wallTime(clock, line.at).time}</span>{' '}
        {shownLine(text, detectLevel(encoder.encode(line.text)))}
      </Link>
      {isFirstError ? <span className="why-mark">{WHY_TEXTS.firstError}</span> : null}
      {children}
    </li>
  );
}

/** The facts, each a link to its row. */
function Proof({ read: { verdict, cutProof }, view }: VerdictProps) {
  const {
    page: { Link },
    onGo,
    time,
  } = view;
  const [isWhole, setWhole] = useState(false);
  if (verdict.proof.length === 0) return null;
  const shown = isWhole ? verdict.proof : verdict.proof.slice(-SHOWN_FACTS);
  const earlier = verdict.proof.length - shown.length;
  return (
    <>
      <h4>{WHY_TEXTS.proof}</h4>
      {earlier === 0 ? null : (
        <button type="button" className="text-button" onClick={() => setWhole(true)}>
          {earlierText(earlier, 'event')}
        </button>
      )}
      {earlier === 0 && cutProof > 0 ? <p className="dim">{moreText(cutProof)}</p> : null}
      <ul className="why-facts">
        {shown.map((fact) => (
          <li key={fact.id} data-severity={fact.severity}>
            <Link to={factHref(view, fact)} onClick={onGo}>
              {legibleText(otherText(ownFact(fact), time))}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

function ownFact(fact: Fact) {
  const { count, at, until = at } = fact;
  return { fact, count, since: at, until };
}

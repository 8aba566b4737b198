import { legibleText } from '../../../ansi/plain-text.ts';
import { countText } from '../../../messages/count.ts';
import { equalText } from '../../../messages/equal-lines.ts';
import type { Row, RowEqual, RowRecord } from '../../../worker/protocol/protocol.ts';
import './record-fold.css';

interface RecordFoldProps {
  readonly record: RowRecord;
  readonly onToggle: () => void;
}

/** Beside the head of a record of several lines: how many are folded, and the most informative of them. */
export function RecordFold({ record, onToggle }: RecordFoldProps) {
  const { isFolded, foldedHits, message, cause, causeMessage, ownFrame, members } = record;
  return (
    <span className="record-fold">
      <button
        type="button"
        tabIndex={-1}
        className="fold-button"
        aria-expanded={!isFolded}
        onClick={onToggle}
      >
        <span aria-hidden="true">{isFolded ? '▸' : '▾'}</span> {sizeText(record)}
      </button>
      {isFolded && foldedHits > 0 ? <mark className="fold-hits">{foldedHitsText(foldedHits)}</mark> : null}
      {isFolded && members !== undefined ? (
        <span className="fold-members">{legibleText(members)}</span>
      ) : null}
      {isFolded ? <MessageLines lines={message} /> : null}
      {isFolded && cause !== undefined ? <Cause text={legibleText(cause)} /> : null}
      {isFolded ? <MessageLines lines={causeMessage} /> : null}
      {isFolded && ownFrame !== undefined ? (
        <span className="fold-frame">{legibleText(ownFrame)}</span>
      ) : null}
    </span>
  );
}

/** What precedes the class and message of a cause. A narrow window leaves it out: it has room for few characters. */
const CAUSE_LEAD = /^(?:Caused by: )?(?:(?:[a-z_]\w*\.)+(?=[A-Z]))?/;

/** The deepest cause: what a folded trace must show, whatever else has to give way. */
function Cause({ text }: { readonly text: string }) {
  const [lead = ''] = CAUSE_LEAD.exec(text) ?? [];
  return (
    <span className="fold-cause" title={text}>
      {lead === '' ? null : <span className="fold-lead">{lead}</span>}
      {text.slice(lead.length)}
    </span>
  );
}

/** Further lines of a message. They may be of another part of the program, so a folded record shows them too. */
function MessageLines({ lines }: { readonly lines: readonly string[] }) {
  return lines.map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines of a record have no other identity
    <span key={index} className="fold-message">
      {legibleText(line)}
    </span>
  ));
}

/** The lines inside that match: a record is one hit, however many of its lines match. */
function foldedHitsText(lines: number): string {
  return lines === 1 ? '1 line inside matches' : `${lines.toLocaleString('en')} lines inside match`;
}

function sizeText({ frames, lines, message, causeMessage }: RowRecord): string {
  const further = message.length + causeMessage.length;
  if (frames === 0) return countText(lines - 1, 'more line');
  const ofFrames = countText(frames, 'frame');
  return further === 0 ? ofFrames : `${countText(further, 'more line')}, ${ofFrames}`;
}

interface EqualFoldProps {
  readonly equal: RowEqual;
  readonly onToggle: () => void;
}

/** Beside the first of equal lines: how many there are, and the time from the first to the last. */
export function EqualFold({ equal, onToggle }: EqualFoldProps) {
  return (
    <span className="record-fold">
      <button
        type="button"
        tabIndex={-1}
        className="fold-button"
        aria-expanded={!equal.isFolded}
        onClick={onToggle}
      >
        <span aria-hidden="true">{equal.isFolded ? '▸' : '▾'}</span> {equalText(equal)}
      </button>
    </span>
  );
}

type Line = Extract<Row, { readonly kind: 'line' }>;

/** Which end of the bracket of a record, or of equal lines, the row has. */
export function recordEdge({ record, equal }: Line): 'head' | 'folded' | 'middle' | 'last' | undefined {
  const lines = record ?? equal;
  return lines?.line === 'head' && lines.isFolded ? 'folded' : lines?.line;
}

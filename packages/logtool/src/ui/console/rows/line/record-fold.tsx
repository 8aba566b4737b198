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
  const { isFolded, foldedHits, cause, ownFrame, members } = record;
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
      {isFolded && foldedHits > 0 ? (
        <mark className="fold-hits">{countText(foldedHits, 'hit')} inside</mark>
      ) : null}
      {isFolded && members !== undefined ? (
        <span className="fold-members">{legibleText(members)}</span>
      ) : null}
      {isFolded && cause !== undefined ? <span className="fold-cause">{legibleText(cause)}</span> : null}
      {isFolded && ownFrame !== undefined ? (
        <span className="fold-frame">{legibleText(ownFrame)}</span>
      ) : null}
    </span>
  );
}

function sizeText({ frames, lines }: RowRecord): string {
  return frames > 0 ? countText(frames, 'frame') : countText(lines - 1, 'more line');
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

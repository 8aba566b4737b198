import { legibleText } from '../../ansi/plain-text.ts';
import { countText } from '../../messages/count.ts';
import type { Row, RowRecord } from '../../worker/session/protocol.ts';
import './record-fold.css';

interface RecordFoldProps {
  readonly record: RowRecord;
  readonly onToggle: () => void;
}

/** Beside the head of a record of several lines: how many are folded, and what of them says most. */
export function RecordFold({ record, onToggle }: RecordFoldProps) {
  const { isFolded, foldedHits, cause, ownFrame } = record;
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

type Line = Extract<Row, { readonly kind: 'line' }>;

/** Which end of the record's bracket the row has. */
export function recordEdge({ record }: Line): 'head' | 'folded' | 'middle' | 'last' | undefined {
  return record?.line === 'head' && record.isFolded ? 'folded' : record?.line;
}

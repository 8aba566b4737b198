import type { Row } from '../../worker/session/protocol.ts';
import { GRID_CELL } from './grid-cell.ts';

interface MissingRowProps {
  readonly row: Extract<Row, { readonly kind: 'missing' }>;
  readonly onLoad: () => void;
}

/** Lines that the page does not hold: how many, and the way to have them. */
export function MissingRow({ row, onLoad }: MissingRowProps) {
  const lines =
    row.lines === undefined
      ? 'Lines'
      : `${row.lines.toLocaleString('en')} ${row.lines === 1 ? 'line' : 'lines'}`;
  return (
    <span {...GRID_CELL} className="ev-text">
      {lines} not shown:{' '}
      {row.state === 'loading' ? (
        'loading…'
      ) : (
        <button type="button" tabIndex={-1} className="text-button" onClick={onLoad}>
          Load
        </button>
      )}
    </span>
  );
}

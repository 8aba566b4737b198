import { countText } from '../../../messages/count.ts';
import type { Row, ViewSource } from '../../../worker/protocol/protocol.ts';
import { GRID_CELL } from './grid-cell.ts';

interface MarkerTextProps {
  readonly row: Extract<Row, { readonly kind: 'marker' }>;
  readonly source: ViewSource | undefined;
}

/** A container event between its lines, with the container's name emphasized. */
export function MarkerText({ row, source }: MarkerTextProps) {
  const name = source === undefined ? undefined : `${source.pod}/${source.container}`;
  const at = name === undefined ? -1 : row.text.indexOf(name);
  return (
    <span {...GRID_CELL} className="ev-text" title={row.text}>
      {name === undefined || at === -1 ? (
        row.text
      ) : (
        <>
          {row.text.slice(0, at)}
          <b>{name}</b>
          {row.text.slice(at + name.length)}
        </>
      )}
    </span>
  );
}

interface MissingTextProps {
  readonly row: Extract<Row, { readonly kind: 'missing' }>;
  readonly onLoad: () => void;
}

/** Lines that the page does not hold: how many, and a button to load them. */
export function MissingText({ row, onLoad }: MissingTextProps) {
  return (
    <span {...GRID_CELL} className="ev-text">
      {row.lines === undefined ? 'Lines' : countText(row.lines, 'line')} not shown:{' '}
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

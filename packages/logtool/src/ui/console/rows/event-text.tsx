import type { Row, ViewSource } from '../../worker/session/protocol.ts';
import { GRID_CELL } from './grid-cell.ts';

interface MarkerRowProps {
  readonly row: Extract<Row, { readonly kind: 'marker' }>;
  readonly source: ViewSource | undefined;
}

/** What happened to a container, between its lines. The container's name stands out. */
export function MarkerRow({ row, source }: MarkerRowProps) {
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

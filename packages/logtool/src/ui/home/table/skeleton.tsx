import { homeColumns } from './columns.ts';
import './table.css';
import './row.css';

/** Lengths of names, so that the placeholder looks like a list. */
const WIDTHS = [64, 40, 56, 72, 60, 96, 48, 52, 60, 44, 84, 56, 48, 70, 58, 66];

interface SkeletonProps {
  readonly hasAgent: boolean;
}

/**
 * A placeholder for the list, with the same header, rows and columns, so that nothing moves when the list
 * arrives.
 */
export function Skeleton({ hasAgent }: SkeletonProps) {
  const columns = homeColumns(hasAgent);
  return (
    <div className="list-scroller" aria-busy="true" data-skeleton="">
      <p className="sr-only" role="status">
        Loading workloads
      </p>
      <table aria-hidden="true" className={hasAgent ? 'with-agent' : undefined}>
        <thead>
          <tr>
            <th className="c-box" />
            {columns.map(({ className, label }) => (
              <th key={label} className={className}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {WIDTHS.map((width, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: drawn once, never reordered
            <tr key={index} className="row">
              <td className="c-box">
                <span className="box" />
              </td>
              {columns.map(({ className, label, bonePx }) => (
                <td key={label} className={className}>
                  {bonePx === undefined ? null : <span className="bone" style={{ width: bonePx(width) }} />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

import { type AgentColumns, HOME_COLUMNS } from './columns.ts';
import './table.css';
import './row.css';

/** Lengths of names: a list looks like a list before it is known. */
const WIDTHS = [64, 40, 56, 72, 60, 96, 48, 52, 60, 44, 84, 56, 48, 70, 58, 66];

interface SkeletonProps {
  readonly agent: AgentColumns;
}

/** The list before anything of it is known: the same header, rows and columns, so that nothing moves when it comes. */
export function Skeleton({ agent }: SkeletonProps) {
  const columns = HOME_COLUMNS.filter(({ ofAgent }) => agent.exists || ofAgent !== true);
  return (
    <div className="list-scroller" aria-busy="true" data-skeleton="">
      <p className="sr-only" role="status">
        Loading workloads
      </p>
      <table aria-hidden="true" className={agent.exists ? 'with-agent' : undefined}>
        <thead>
          <tr>
            <th className="c-box" />
            {columns.map(({ className, label }) => (
              <th key={label} className={className}>
                {label}
              </th>
            ))}
            {agent.isMissed ? <th className="c-agent" /> : null}
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
                <td
                  key={label}
                  className={className}
                  colSpan={label === 'Last event' && agent.isMissed ? 2 : 1}
                >
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

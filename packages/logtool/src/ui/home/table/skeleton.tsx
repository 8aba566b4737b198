import { HOME_COLUMNS } from './columns.ts';

const WIDTHS = [64, 40, 56, 72, 60, 96, 48, 52, 60, 44, 84, 56, 48, 70, 58, 66];

interface SkeletonProps {
  readonly hasAgent: boolean;
  readonly saysAgent: boolean;
}

/** The list before anything of it is known: the same header, rows and columns, so that nothing moves when it comes. */
export function Skeleton({ hasAgent, saysAgent }: SkeletonProps) {
  const columns = HOME_COLUMNS.filter(({ ofAgent }) => hasAgent || ofAgent !== true);
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
            {saysAgent ? <th className="c-agent" /> : null}
          </tr>
        </thead>
        <tbody>
          {WIDTHS.map((width, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: drawn once, never reordered
            <tr key={index} className="row">
              <td className="c-box">
                <span className="box" />
              </td>
              {columns.map(({ className, label }, column) => (
                <td key={label} className={className} colSpan={label === 'Last event' && saysAgent ? 2 : 1}>
                  {column < 4 ? (
                    <span
                      className="bone"
                      style={{ width: column === 0 ? width * 1.6 : column === 3 ? 24 : 64 }}
                    />
                  ) : null}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

import { splitAnsi } from '../ansi/segments.ts';
import { Icon } from '../app/chrome/icons.tsx';
import type { JsonTreeProps, ToolProps } from './slots.ts';

/** Lines a second. */
export function HistogramStrip({ state }: ToolProps) {
  return (
    <div className="histogram-strip">
      <div>
        Lines
        <b>{Math.round(state.status.receivedPerSecond).toLocaleString('en')}/s now</b>
      </div>
    </div>
  );
}

export function RangeButton({ url }: ToolProps) {
  const label = url.last === undefined ? (url.from ?? 'Newest') : `Last ${url.last}`;
  return (
    <span className="button">
      {label} <Icon name="chevron" />
    </span>
  );
}

export function DownloadButton(_: ToolProps) {
  return null;
}

/** The fields of the outermost object. */
export function JsonTree({ row }: JsonTreeProps) {
  const text = splitAnsi(row.text)
    .map((segment) => segment.text)
    .join('');
  let fields: [string, unknown][] = [];
  try {
    fields = Object.entries(JSON.parse(text));
  } catch {
    return <p className="tree-fault">This line begins like JSON, but it is none.</p>;
  }
  return (
    <dl className="tree">
      {fields.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

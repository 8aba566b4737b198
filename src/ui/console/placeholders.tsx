import { splitAnsi } from '../ansi/segments.ts';
import { Icon } from '../app/chrome/icons.tsx';
import type { FacetName } from '../worker/protocol.ts';
import type { JsonTreeProps, ToolProps } from './slots.ts';

/** A search field that fills the URL; hits are marked by the worker. */
export function SearchBar({ url, setUrl, state }: ToolProps) {
  const { search } = state.status;
  return (
    <div className="bar search-bar">
      <span aria-hidden="true">/</span>
      <input
        data-search-field
        type="search"
        aria-label="Search in the logs"
        placeholder="Search"
        autoComplete="off"
        spellCheck={false}
        value={url.q ?? ''}
        onChange={(event) => setUrl({ q: event.target.value }, { replace: true })}
      />
      {search.state === 'off' ? null : <span>{search.hits.toLocaleString('en')} hits</span>}
    </div>
  );
}

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

const FACETS: readonly (readonly [FacetName, string])[] = [
  ['level', 'Level'],
  ['node', 'Node'],
  ['zone', 'Zone'],
];

/** Counts of what the view holds. */
export function FacetList({ state }: ToolProps) {
  return (
    <>
      <h2>Containers</h2>
      <ul>
        {state.sources.map((source) => (
          <li key={source.index} className={`facet-row ${source.isGone ? 'gone' : ''}`}>
            <span className={`hue hue-${source.hue}`} aria-hidden="true" />
            <span className="facet-name">
              {source.pod}/{source.container}
            </span>
            <span>{source.lines.toLocaleString('en')}</span>
          </li>
        ))}
      </ul>
      {FACETS.map(([facet, title]) => (
        <section key={facet}>
          <h2>{title}</h2>
          <ul>
            {Object.entries(state.facets[facet]).map(([value, lines]) => (
              <li key={value} className="facet-row">
                <span />
                <span className="facet-name">{value}</span>
                <span>{lines.toLocaleString('en')}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
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

import { legibleText } from '../ansi/plain-text.ts';
import { Icon } from '../app/chrome/icons.tsx';
import { focusLog } from '../console/rows/focus-log.ts';
import type { ToolProps } from '../console/session/slots.ts';
import type { FacetName } from '../worker/session/protocol.ts';
import { clearFacet, fieldChips } from './facet-change.ts';

interface Chip {
  readonly key: string;
  readonly name: string;
  readonly value: string;
  readonly isExcluded: boolean;
  readonly remove: () => void;
}

/** What is filtered, each to be taken away by itself. */
export function FilterChips({ url, setUrl, state }: ToolProps) {
  const nameOf = (facet: FacetName, value: string) => {
    if (facet === 'level' && value === 'none') return 'no level';
    if (facet !== 'container') return value;
    const source = state.sources.find(({ id }) => id === value);
    return source === undefined ? value : `${source.pod}/${source.container}`;
  };
  const side = (values: typeof url.inc, isExcluded: boolean): Chip[] =>
    Object.entries(values ?? {}).flatMap(([name, list]) => {
      const facet = name as FacetName;
      return (list ?? []).map((value) => ({
        key: `${isExcluded} ${facet} ${value}`,
        name: facet,
        value: legibleText(nameOf(facet, value)),
        isExcluded,
        remove: () => setUrl(clearFacet(url, facet, value)),
      }));
    });
  const fields = fieldChips(url.fields).map(({ text, path, value, isExcluded }) => ({
    key: text,
    name: legibleText(path),
    value: legibleText(value),
    isExcluded,
    remove: () => {
      const left = url.fields?.filter((each) => each !== text) ?? [];
      setUrl({ fields: left.length === 0 ? undefined : left });
    },
  }));
  const chips: readonly Chip[] = [...side(url.inc, false), ...side(url.exc, true), ...fields];
  if (chips.length === 0) return null;
  return (
    <section aria-labelledby="filter-chips">
      <h2 id="filter-chips">
        Filters
        <button
          type="button"
          className="text-button"
          onClick={() => {
            setUrl({ inc: undefined, exc: undefined, fields: undefined });
            focusLog();
          }}
        >
          Clear all
        </button>
      </h2>
      <ul className="filter-chips">
        {chips.map((chip) => (
          <li
            key={chip.key}
            className={`filter-chip ${chip.isExcluded ? 'excluded' : ''}`}
            data-chip={chip.key}
          >
            <span className="filter-text" title={`${chip.name}: ${chip.value}`}>
              {chip.isExcluded ? 'not ' : ''}
              <span className="filter-key">{chip.name}:</span> {chip.value}
            </span>
            <button
              type="button"
              aria-label={`Remove the filter ${chip.isExcluded ? 'not ' : ''}${chip.name} ${chip.value}`}
              onClick={() => {
                chip.remove();
                focusLog();
              }}
            >
              <Icon name="close" size={8} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

import { legibleText } from '../ansi/plain-text.ts';
import { Icon } from '../app/chrome/icons.tsx';
import { focusLog } from '../console/scroll/focus-log.ts';
import { clearFacet, fieldChips } from '../console/tools/facet-change.ts';
import type { ToolProps } from '../console/tools/slots.ts';
import { FACET_NAMES, type FacetName } from '../worker/protocol/facet-table.ts';
import type { ViewSource } from '../worker/protocol/protocol.ts';

interface Chip {
  readonly key: string;
  readonly name: string;
  readonly value: string;
  readonly isExcluded: boolean;
  readonly remove: () => void;
}

/** The active filters, each with a button that removes it. */
export function FilterChips(tools: ToolProps) {
  const { setUrl } = tools;
  const chips = [...facetChips(tools, 'inc'), ...facetChips(tools, 'exc'), ...fieldsOf(tools)];
  if (chips.length === 0) return null;
  const clear = () => {
    setUrl({ inc: undefined, exc: undefined, fields: undefined });
    focusLog();
  };
  return (
    <section aria-labelledby="filter-chips">
      <h2 id="filter-chips">
        Filters
        <button type="button" className="text-button" onClick={clear}>
          Clear all
        </button>
      </h2>
      <ul className="filter-chips">
        {chips.map(({ key, ...chip }) => (
          <FilterChip key={key} id={key} {...chip} />
        ))}
      </ul>
    </section>
  );
}

function FilterChip({ id, name, value, isExcluded, remove }: Omit<Chip, 'key'> & { readonly id: string }) {
  const not = isExcluded ? 'not ' : '';
  const onRemove = () => {
    remove();
    focusLog();
  };
  return (
    <li className={`filter-chip ${isExcluded ? 'excluded' : ''}`} data-chip={id}>
      <span className="filter-text" title={`${name}: ${value}`}>
        {not}
        <span className="filter-key">{name}:</span> {value}
      </span>
      <button type="button" aria-label={`Remove the filter ${not}${name} ${value}`} onClick={onRemove}>
        <Icon name="close" size={8} />
      </button>
    </li>
  );
}

/** Returns chips for the included or excluded values. */
function facetChips({ url, setUrl, state }: ToolProps, side: 'inc' | 'exc'): readonly Chip[] {
  const isExcluded = side === 'exc';
  return FACET_NAMES.flatMap((facet) =>
    (url[side]?.[facet] ?? []).map((value) => ({
      key: `${isExcluded} ${facet} ${value}`,
      name: facet,
      value: legibleText(nameOf(facet, value, state.sources)),
      isExcluded,
      remove: () => setUrl(clearFacet(url, facet, value)),
    })),
  );
}

function nameOf(facet: FacetName, value: string, sources: readonly ViewSource[]): string {
  if (facet === 'level' && value === 'none') return 'no level';
  if (facet === 'run') {
    const run = sources.find(({ order }) => order === value);
    return run === undefined ? value : `${run.pod}/${run.container} run ${run.restarts + 1}`;
  }
  if (facet !== 'container') return value;
  const source = sources.find(({ id }) => id === value);
  return source === undefined ? value : `${source.pod}/${source.container}`;
}

function fieldsOf({ url, setUrl }: ToolProps): readonly Chip[] {
  return fieldChips(url.fields).map(({ text, path, value, isExcluded }) => ({
    key: text,
    name: legibleText(path),
    value: legibleText(value),
    isExcluded,
    remove: () => {
      const left = url.fields?.filter((each) => each !== text) ?? [];
      setUrl({ fields: left.length === 0 ? undefined : left });
    },
  }));
}

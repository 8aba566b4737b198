import { Icon } from '../app/chrome/icons.tsx';
import { PageLink } from '../app/chrome/page-link.tsx';
import { consoleHref } from '../app/links.ts';
import { OPEN_LIMIT } from './list/selection.ts';
import './selection-bar.css';

interface SelectionBarProps {
  readonly context: string;
  readonly selected: readonly string[];
  /** `3 workloads, 11 pods` */
  readonly text: string;
  readonly onClear: () => void;
}

export function SelectionBar({ context, selected, text, onClear }: SelectionBarProps) {
  const isTooMany = selected.length > OPEN_LIMIT;
  return (
    <section className="selection-bar" aria-label="Selection">
      <span>
        {text}
        {isTooMany ? <span className="dim"> · at most {OPEN_LIMIT} can be opened together</span> : null}
      </span>
      {isTooMany ? null : (
        <PageLink className="button primary" to={consoleHref(context, selected)}>
          Open together <Icon name="return" size={11} />
        </PageLink>
      )}
      <button type="button" className="icon-button" aria-label="Clear the selection" onClick={onClear}>
        <Icon name="close" size={10} />
      </button>
    </section>
  );
}

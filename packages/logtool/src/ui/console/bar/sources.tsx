import { Icon } from '../../app/chrome/icons.tsx';
import { Popover } from '../../app/chrome/popover.tsx';
import { focusLog } from '../scroll/focus-log.ts';
import './sources.css';

/** Beyond this, shows a number with a list behind it: truncated chips would identify nothing. */
const MAX_CHIPS = 4;

interface SourcesProps {
  /** Source arguments, `shop:deployments/web`. */
  readonly sources: readonly string[];
  readonly onRemove: (source: string) => void;
}

/** The shown sources, each with a button to remove it; the last one stays. */
export function Sources({ sources, onRemove }: SourcesProps) {
  if (sources.length > MAX_CHIPS) return <ManySources sources={sources} onRemove={onRemove} />;
  const remove = (source: string) => {
    onRemove(source);
    focusLog();
  };
  return (
    <ul className="source-chips" aria-label="Sources">
      {sources.map((source) => (
        <li key={source}>
          <SourceChip source={source} onRemove={sources.length > 1 ? () => remove(source) : undefined} />
        </li>
      ))}
    </ul>
  );
}

function ManySources({ sources, onRemove }: SourcesProps) {
  const text = `${sources.length.toLocaleString('en')} sources`;
  return (
    <Popover
      label="Sources"
      trigger={
        <>
          {text} <Icon name="chevron" />
        </>
      }
      triggerClass="button"
      title={sources.slice(0, 20).join('\n')}
      className="add-panel"
    >
      {(close) => (
        <ul aria-label="Sources">
          {sources.map((source) => (
            <li key={source} className="row-of" data-source-argument={source}>
              <span className="item mono source-item" title={source}>
                {source}
              </span>
              <button
                type="button"
                className="icon-button"
                aria-label={`Remove ${source}`}
                onClick={() => {
                  if (sources.length - 1 <= MAX_CHIPS) close();
                  onRemove(source);
                }}
              >
                <Icon name="close" size={9} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </Popover>
  );
}

interface SourceChipProps {
  /** `shop:deployments/web` */
  readonly source: string;
  /** Undefined: the last source, which stays. */
  readonly onRemove: (() => void) | undefined;
}

function SourceChip({ source, onRemove }: SourceChipProps) {
  const slash = source.indexOf('/');
  const at = (slash === -1 ? source.indexOf(':') : slash) + 1;
  return (
    <span
      className={`source-chip ${source.endsWith('*') ? 'of-many' : ''}`}
      data-source-argument={source}
      title={source}
    >
      <span className="source-kind">{source.slice(0, at)}</span>
      <span className="source-name">{source.slice(at)}</span>
      {onRemove === undefined ? null : (
        <button type="button" aria-label={`Remove ${source}`} onClick={onRemove}>
          <Icon name="close" size={9} />
        </button>
      )}
    </span>
  );
}

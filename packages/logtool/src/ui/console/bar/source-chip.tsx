import { Icon } from '../../app/chrome/icons.tsx';

interface SourceChipProps {
  /** `shop:deployments/web` */
  readonly source: string;
  /** Undefined: the last one stays. */
  readonly onRemove: (() => void) | undefined;
}

export function SourceChip({ source, onRemove }: SourceChipProps) {
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

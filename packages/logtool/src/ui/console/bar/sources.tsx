import { useLayoutEffect, useRef, useState } from 'react';
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
  const { room, tooWide } = useRoom(sources.join(' '));
  const isList = sources.length > MAX_CHIPS || (tooWide === 2 && sources.length > 1);
  return (
    <div className={tooWide > 0 ? 'source-room names-only' : 'source-room'} ref={room}>
      {isList ? (
        <ManySources sources={sources} onRemove={onRemove} />
      ) : (
        <Chips sources={sources} onRemove={onRemove} />
      )}
    </div>
  );
}

function Chips({ sources, onRemove }: SourcesProps) {
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

/**
 * How many of two forms of the content are too wide for an element: all of it, and a shorter one. `key`: changes with the
 * content. A form that was too wide comes back once the parent is as wide as it needs.
 */
function useRoom(key: string) {
  const room = useRef<HTMLDivElement>(null);
  const [widthPx, setWidthPx] = useState(Number.POSITIVE_INFINITY);
  const [needed, setNeeded] = useState<{ readonly key: string; readonly widthsPx: readonly number[] }>();
  const widthsPx = needed?.key === key ? needed.widthsPx : [];
  const tooWide = widthsPx.findLastIndex((neededPx) => widthPx < neededPx) + 1;
  useLayoutEffect(() => {
    const parent = room.current?.parentElement;
    if (parent === null || parent === undefined) return;
    const observer = new ResizeObserver(() => setWidthPx(parent.clientWidth));
    observer.observe(parent);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    const element = room.current;
    if (element === null || tooWide === 2 || !Number.isFinite(widthPx)) return;
    const lackingPx = element.scrollWidth - element.clientWidth;
    if (lackingPx > 0) setNeeded({ key, widthsPx: [...widthsPx.slice(0, tooWide), widthPx + lackingPx] });
  });
  return { room, tooWide };
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

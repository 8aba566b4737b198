import { Brand } from '../../app/chrome/brand.tsx';
import { ContextSwitcher } from '../../app/chrome/context-switcher.tsx';
import { Icon } from '../../app/chrome/icons.tsx';
import { ThemeButton } from '../../app/chrome/theme-button.tsx';
import { homeHref } from '../../app/links.ts';
import { DownloadButton } from '../../download/download-button.tsx';
import { readHomeUrl } from '../../home/home-url.ts';
import { RangeButton } from '../../range/range-button.tsx';
import { focusLog } from '../rows/focus-log.ts';
import type { ToolProps } from '../session/slots.ts';
import type { ConsoleColumn } from '../url/console-url.ts';
import { AddSource } from './add-source.tsx';
import { FollowButton } from './follow-button.tsx';
import { MoreMenu } from './more-menu.tsx';
import { SourceChip } from './source-chip.tsx';

interface ConsoleBarProps {
  readonly tools: ToolProps;
  readonly columns: readonly ConsoleColumn[] | undefined;
  readonly isNarrow: boolean;
  readonly onFilters: () => void;
}

/** What is shown: context, sources, range, following. */
export function ConsoleBar({ tools, columns, isNarrow, onFilters }: ConsoleBarProps) {
  const { url, setUrl } = tools;
  const home = { ...readHomeUrl({}), ctx: url.ctx };
  const sources = (
    <div className="sources">
      <ul className="source-chips" aria-label="Sources">
        {url.src.map((source) => (
          <li key={source}>
            <SourceChip
              source={source}
              onRemove={
                url.src.length > 1
                  ? () => {
                      setUrl({ src: url.src.filter((other) => other !== source) });
                      focusLog();
                    }
                  : undefined
              }
            />
          </li>
        ))}
      </ul>
      <AddSource url={url} onAdd={(source) => setUrl({ src: [...new Set([...url.src, source])] })} />
    </div>
  );
  return (
    <>
      <div className="bar">
        {isNarrow ? (
          <button type="button" className="icon-button" aria-label="Filters" onClick={onFilters}>
            <Icon name="menu" size={14} />
          </button>
        ) : null}
        <Brand to={homeHref(home)} />
        <span className="rule" />
        <ContextSwitcher current={url.ctx} linkTo={(ctx) => homeHref({ ...home, ctx })} />
        {isNarrow ? (
          <span className="gap" />
        ) : (
          <>
            <span className="rule" />
            {sources}
          </>
        )}
        <RangeButton {...tools} />
        <FollowButton tools={tools} />
        {isNarrow ? null : <kbd title="Space pauses and goes on">Space</kbd>}
        {isNarrow ? null : <DownloadButton {...tools} />}
        {isNarrow ? null : <ThemeButton />}
        <MoreMenu tools={tools} columns={columns} isNarrow={isNarrow} />
      </div>
      {isNarrow ? <div className="bar sources-bar">{sources}</div> : null}
    </>
  );
}

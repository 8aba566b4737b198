import { Brand } from '../../app/chrome/brand.tsx';
import { ContextSwitcher } from '../../app/chrome/context-switcher.tsx';
import { SavedViews } from '../../app/chrome/saved-views.tsx';
import { ThemeButton } from '../../app/chrome/theme-button.tsx';
import { readHomeUrl } from '../../home/url/home-url.ts';
import { homeHref } from '../../shell/links.ts';
import { type ToolProps, useSlots } from '../tools/slots.ts';
import type { ConsoleColumn } from '../url/console-url.ts';
import { AddSource } from './add-source.tsx';
import { FollowButton } from './follow-button.tsx';
import { MoreMenu } from './more-menu.tsx';
import { Sources } from './sources.tsx';
import './console-bar.css';
import './sources.css';

interface ConsoleBarProps {
  readonly tools: ToolProps;
  readonly columns: readonly ConsoleColumn[] | undefined;
  /** Whether the window is narrow, so that the rest of the bar is below the log, within reach of a thumb. */
  readonly isNarrow: boolean;
}

/** The bar that shows context, sources, range and following. */
export function ConsoleBar({ tools, columns, isNarrow }: ConsoleBarProps) {
  const { url, setUrl } = tools;
  const { Why, Range, Download } = useSlots();
  const home = { ...readHomeUrl({}), ctx: url.ctx };
  const sources = (
    <div className="sources">
      <Sources
        sources={url.src}
        onRemove={(source) => setUrl({ src: url.src.filter((other) => other !== source) })}
      />
      <AddSource url={url} onAdd={(source) => setUrl({ src: [...new Set([...url.src, source])] })} />
    </div>
  );
  return (
    <>
      <div className="bar">
        <Brand to={homeHref(home)} />
        <span className="rule" />
        <ContextSwitcher current={url.ctx} linkTo={(ctx) => homeHref({ ...home, ctx })} />
        {isNarrow ? null : (
          <>
            <span className="rule" />
            {sources}
            <Why {...tools} />
            <Range {...tools} />
            <FollowButton tools={tools} />
            <kbd title="Space pauses and resumes">Space</kbd>
            <Download {...tools} />
            <SavedViews />
            <ThemeButton />
            <MoreMenu tools={tools} columns={columns} isNarrow={false} />
          </>
        )}
      </div>
      {isNarrow ? (
        <div className="bar sources-bar">
          {sources}
          <Why {...tools} />
        </div>
      ) : null}
    </>
  );
}

import { useRef, useState } from 'react';
import { Dialog } from '../app/chrome/dialog.tsx';
import { useNarrow } from '../app/chrome/use-narrow.ts';
import { ConsoleBar } from './bar/console-bar.tsx';
import { ConsoleStatus } from './bar/console-status.tsx';
import { RateBanner } from './bar/rate-banner.tsx';
import { StatusSummary } from './bar/status-summary.tsx';
import { ThumbBar } from './bar/thumb-bar.tsx';
import { PinsPanel } from './pins/pins-panel.tsx';
import { LogArea } from './rows/area/log-area.tsx';
import { type ToolProps, useSlots } from './tools/slots.ts';
import type { ConsoleColumn } from './url/console-url.ts';
import { useConsoleKeys } from './use-console-keys.ts';
import './console-frame.css';

interface ConsoleFrameProps {
  readonly tools: ToolProps;
  /** Undefined: not known yet. */
  readonly columns: readonly ConsoleColumn[] | undefined;
}

/** The parts of the console around the log. */
export function ConsoleFrame({ tools, columns }: ConsoleFrameProps) {
  const { state } = tools;
  const { Search, Histogram, Facets } = useSlots();
  const isNarrow = useNarrow();
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const page = useRef<HTMLDivElement>(null);
  useConsoleKeys(tools, page);
  return (
    <div
      ref={page}
      className="console"
      data-following={state.isFollowing}
      data-paused={state.pausedAtMs !== undefined}
      data-rows-held={state.status.lines}
    >
      <header>
        <h1 className="sr-only">Logs of {tools.url.src.join(', ')}</h1>
        <ConsoleBar tools={tools} columns={columns} isNarrow={isNarrow} />
        <Search {...tools} />
      </header>
      <Histogram {...tools} />
      <div className="console-main">
        {isNarrow ? null : (
          <aside className="console-side" aria-label="Filters">
            <Facets {...tools} />
          </aside>
        )}
        <main className="console-log">
          <RateBanner state={state} />
          <LogArea tools={tools} columns={columns} />
          {state.showsPins ? <PinsPanel tools={tools} /> : null}
        </main>
      </div>
      {isNarrow ? <ThumbBar tools={tools} columns={columns} onFilters={() => setDrawerOpen(true)} /> : null}
      <ConsoleStatus tools={tools} isNarrow={isNarrow} />
      <StatusSummary state={state} />
      {isNarrow && isDrawerOpen ? (
        <Dialog title="Filters" isOpen onClose={() => setDrawerOpen(false)} className="drawer" hideTitle>
          <div className="console-side">
            <Facets {...tools} />
          </div>
        </Dialog>
      ) : null}
    </div>
  );
}

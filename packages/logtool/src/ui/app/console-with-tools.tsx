import { Console } from '../console/console.tsx';
import { type ConsoleSlots, SlotsContext } from '../console/tools/slots.ts';
import { DownloadButton } from '../download/download-button.tsx';
import { DownloadPanel } from '../download/download-panel.tsx';
import { FacetList } from '../facets/facet-list.tsx';
import { HistogramStrip } from '../histogram/histogram-strip.tsx';
import { JsonTree } from '../json-tree/json-tree.tsx';
import { PairBar } from '../json-tree/pair-bar.tsx';
import { RangeButton } from '../range/range-button.tsx';
import { SearchBar } from '../search/search-bar.tsx';
import { WhyTool } from '../why/why-tool.tsx';

// Loaded with the console: a separate chunk would cost another request.
export { warmLogWorker } from '../worker/session/log-worker-client.ts';

const SLOTS: ConsoleSlots = {
  Search: SearchBar,
  Histogram: HistogramStrip,
  Facets: FacetList,
  Why: WhyTool,
  Range: RangeButton,
  Download: DownloadButton,
  DownloadItems: DownloadPanel,
  JsonTree,
  PairBar,
};

/** The console with all of its tools; the console itself imports none of them. */
export function ConsoleWithTools() {
  return (
    <SlotsContext value={SLOTS}>
      <Console />
    </SlotsContext>
  );
}

import { useCallback, useEffect, useRef, useState } from 'react';
import { Icon } from '../app/chrome/icons.tsx';
import { PageLink } from '../app/chrome/page-link.tsx';
import { useNarrow } from '../app/chrome/use-narrow.ts';
import { Late } from '../frame/late-component.tsx';
import { consoleHref } from '../shell/links.ts';
import { useShell } from '../shell/shell-context.ts';
import { useWorkloads } from '../shell/use-workloads.ts';
import { isUncounted } from './feed/denied-scopes.ts';
import type { WorkloadList } from './feed/workload-store.ts';
import { HomeBar } from './home-bar.tsx';
import { HomeList } from './home-list.tsx';
import { HomeStatus } from './home-status.tsx';
import { DRAWER } from './late-drawer.ts';
import type { Counts } from './list/filter.ts';
import { describeSelection, OPEN_LIMIT, toggle } from './list/selection.ts';
import { useListKeys } from './list/use-list-keys.ts';
import { useRows } from './list/use-rows.ts';
import { Sidebar } from './sidebar.tsx';
import type { HomeUrl } from './url/home-url.ts';
import { type HomeUrlState, useHomeUrl } from './url/use-home-url.ts';
import './selection-bar.css';
import './home-page.css';

interface SelectionBarProps {
  readonly context: string;
  readonly selected: readonly string[];
  /** `3 workloads, 11 pods` */
  readonly text: string;
  readonly onClear: () => void;
}

/** The workloads of a cluster: find one or several and open their logs. */
export function HomePage() {
  const { info } = useShell();
  const isNarrow = useNarrow();
  const address = useHomeUrl();
  const { url, go, change, type } = address;
  const context = useShownContext(url.ctx, change);
  const { namespaces, asked, list, retry } = useWorkloads(context, url.ns);
  const [isHeld, setHeld] = useState(false);
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const rows = useRows(list, url, isHeld);
  const onToggle = useToggle(address);
  const keys = useListKeys({ address, context, rows: rows.held.rows, onToggle });
  const read: Counts | 'unknown' = isUncounted(list) ? 'unknown' : rows.counts;
  const counts = list.isComplete ? read : undefined;
  const hasAgent = info?.agent === true || hasActivity(list.workloads.values());
  return (
    <div className="home">
      <HomeBar
        url={url}
        context={context}
        namespaces={namespaces}
        counts={rows.counts.namespaces}
        isNarrow={isNarrow}
        field={keys.field}
        onMenu={() => setDrawerOpen(true)}
        onNamespaces={(ns) => go({ ns })}
        onType={type}
        onFieldKey={keys.onFieldKey}
      />
      <div className="home-main">
        {isNarrow ? null : <Sidebar url={url} counts={counts} />}
        <HomeList
          url={url}
          context={context}
          namespaces={namespaces}
          asked={asked}
          list={list}
          rows={rows}
          isHeld={isHeld}
          hasAgent={hasAgent}
          isNarrow={isNarrow}
          cursor={keys.cursor}
          change={change}
          onToggle={onToggle}
          onHold={setHeld}
          onRowKey={keys.onRowKey}
          onRetry={retry}
          onOpenNamespace={(namespace) => go({ ns: [namespace] })}
        />
      </div>
      <Selection address={address} context={context} list={list} />
      <HomeStatus list={list} workloads={rows.counts.total} />
      {isNarrow && isDrawerOpen ? (
        <Late component={DRAWER} props={{ url, counts, onClose: () => setDrawerOpen(false) }} />
      ) : null}
    </div>
  );
}

interface SelectionProps {
  readonly address: HomeUrlState;
  readonly context: string | undefined;
  readonly list: WorkloadList;
}

function Selection({ address: { url, change }, context, list }: SelectionProps) {
  if (context === undefined || url.sel.length === 0) return null;
  return (
    <SelectionBar
      context={context}
      selected={url.sel}
      text={describeSelection(url.sel, list.workloads.values())}
      onClear={() => change({ sel: [] })}
    />
  );
}

/** Toggles the selection of a row. The function is stable: a new one would redraw all rows. */
function useToggle({ url, change }: HomeUrlState): (source: string) => void {
  const latest = useRef(url.sel);
  latest.current = url.sel;
  return useCallback((source) => change({ sel: toggle(latest.current, source) }), [change]);
}

function hasActivity(workloads: Iterable<{ readonly agent?: unknown }>): boolean {
  for (const { agent } of workloads) if (agent !== undefined) return true;
  return false;
}

/** Returns the context whose workloads are shown: from the address, else the kubeconfig's current one. */
function useShownContext(
  ctx: string | undefined,
  change: (changes: Partial<HomeUrl>) => void,
): string | undefined {
  const { contexts, checkContext } = useShell();
  const context = ctx ?? contexts?.contexts.find(({ isCurrent }) => isCurrent)?.name;
  useEffect(() => {
    // The current context may change later; the link must keep its meaning.
    if (ctx === undefined && context !== undefined) change({ ctx: context });
  }, [ctx, context, change]);
  const isChecked = contexts?.contexts.some(({ name, version }) => name === context && version !== undefined);
  useEffect(() => {
    if (context !== undefined && isChecked === false) checkContext(context);
  }, [context, isChecked, checkContext]);
  useEffect(() => {
    document.title = context === undefined ? 'logtool' : `${context} · logtool`;
  }, [context]);
  return context;
}

function SelectionBar({ context, selected, text, onClear }: SelectionBarProps) {
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

import { useQuery } from '@tanstack/react-query';
import {
  type KeyboardEvent,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { useApp } from '../app/app-context.ts';
import { useOpen } from '../app/chrome/page-link.tsx';
import { useNarrow, useWide } from '../app/chrome/use-narrow.ts';
import { Late } from '../app/late-part.tsx';
import { DRAWER } from '../app/late-parts.ts';
import { consoleHref } from '../app/links.ts';
import { useShell } from '../app/shell-context.ts';
import { isTyping } from '../app/typing.ts';
import { HomeBar } from './home-bar.tsx';
import { HomeList } from './home-list.tsx';
import './home.css';
import { HomeStatus } from './home-status.tsx';
import { readRowKey, targetRow } from './row-keys.ts';
import { searchTerms } from './search.ts';
import { describeSelection, OPEN_LIMIT, toggle, toggleVisible } from './selection.ts';
import { SelectionBar } from './selection-bar.tsx';
import { Sidebar } from './sidebar.tsx';
import { DESCENDS_FIRST, type SortColumn } from './sort.ts';
import { sourceArgument } from './source-argument.ts';
import { useHomeUrl } from './use-home-url.ts';
import { useRows } from './use-rows.ts';
import { EMPTY_LIST } from './workload-store.ts';

/** The workloads of a cluster: find one, or several, and open their logs. */
export function HomePage() {
  const { api } = useApp();
  const shell = useShell();
  const open = useOpen();
  const isNarrow = useNarrow();
  const isWide = useWide();
  const { url, go, change, type, settle } = useHomeUrl();
  const field = useRef<HTMLInputElement>(null);
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const [isHeld, setHeld] = useState(false);
  const [active, setActive] = useState<string | undefined>();
  const [focusRequest, setFocusRequest] = useState(0);

  const context = url.ctx ?? shell.contexts?.contexts.find(({ isCurrent }) => isCurrent)?.name;
  useEffect(() => {
    // The current context may be another one tomorrow; the link is to mean the same.
    if (url.ctx === undefined && context !== undefined) change({ ctx: context });
  }, [url.ctx, context, change]);
  const isChecked = shell.contexts?.contexts.some(
    ({ name, version }) => name === context && version !== undefined,
  );
  const { checkContext } = shell;
  useEffect(() => {
    if (context !== undefined && isChecked === false) checkContext(context);
  }, [context, isChecked, checkContext]);
  useEffect(() => {
    document.title = context === undefined ? 'logtool' : `${context} · logtool`;
  }, [context]);

  const { data: namespaces } = useQuery({
    queryKey: ['namespaces', context],
    queryFn: ({ signal }) => api.ask('namespaces', { params: { context: context ?? '' }, signal }),
    enabled: context !== undefined,
  });
  // Only names that the cluster did not give must be asked for; else the whole list is there to count and to filter.
  const typed = url.ns.filter(
    (name) => namespaces?.namespaces.every((known) => known.name !== name) ?? false,
  );
  const asked =
    typed.length === 0 ? [] : [...(namespaces?.namespaces.map(({ name }) => name) ?? []), ...typed];
  const feed = context === undefined ? undefined : shell.feed(context, asked);
  const list = useSyncExternalStore(feed?.subscribe ?? none, feed?.list ?? empty);
  const { held, counts, update } = useRows(list, url, isHeld);
  const { rows } = held;
  const selected = useMemo(() => new Set(url.sel), [url.sel]);
  const terms = useMemo(() => searchTerms(url.q), [url.q]);

  const latestSelection = useRef(url.sel);
  latestSelection.current = url.sel;
  const onToggle = useCallback(
    (source: string) => change({ sel: toggle(latestSelection.current, source) }),
    [change],
  );
  const focusRow = (id: string | undefined) => {
    if (id === undefined) return;
    setActive(id);
    setFocusRequest((count) => count + 1);
  };
  const openChosen = () => {
    if (context === undefined) return;
    const row = rows.find(({ workload }) => workload.id === active) ?? rows[0];
    const sources =
      url.sel.length > 0 ? url.sel : row === undefined || row.isGone ? [] : [sourceArgument(row.workload)];
    if (sources.length === 0 || sources.length > OPEN_LIMIT) return;
    // What was typed a moment ago belongs into the address that Back leads to.
    void settle().then(() => open(consoleHref(context, sources)));
  };
  const onRowKey = (event: KeyboardEvent | globalThis.KeyboardEvent) => {
    const key = readRowKey(event);
    if (key === undefined) return;
    if (key === 'open' && url.sel.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    if (key === 'open') openChosen();
    else if (key === 'clear') change({ sel: [] });
    else if (key === 'select') {
      const row = rows.find(({ workload }) => workload.id === active) ?? rows[0];
      if (row !== undefined) onToggle(sourceArgument(row.workload));
    } else focusRow(targetRow(rows, active, key));
  };
  const onFieldKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') {
      event.preventDefault();
      focusRow(rows[0]?.workload.id);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      openChosen();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      if (url.q === '') focusRow(active ?? rows[0]?.workload.id);
      else change({ q: '' });
    }
  };
  const pageKey = useRef<(event: globalThis.KeyboardEvent) => void>(undefined);
  pageKey.current = (event) => {
    const { target } = event;
    if (isTyping(target) || (target instanceof Element && target.closest('[role="dialog"]') !== null)) return;
    if (event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
      // With the focus nowhere the keys are those of the list.
    } else if (target === document.body) onRowKey(event);
  };
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => pageKey.current?.(event);
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  const onSort = (column: SortColumn) => {
    change(
      column === url.sort
        ? { isDescending: !url.isDescending }
        : { sort: column, isDescending: DESCENDS_FIRST.has(column) },
    );
  };

  const shownCounts = list.isComplete ? counts : undefined;
  const hasAgent = shell.info?.agent === true || hasActivity(list.workloads.values());
  return (
    <div className="home">
      <HomeBar
        url={url}
        context={context}
        namespaces={namespaces}
        counts={counts.namespaces}
        isNarrow={isNarrow}
        field={field}
        onMenu={() => setDrawerOpen(true)}
        onNamespaces={(ns) => go({ ns })}
        onType={type}
        onFieldKey={onFieldKey}
      />
      <div className="home-main">
        {isNarrow ? null : <Sidebar url={url} counts={shownCounts} saysAgent={!hasAgent && !isWide} />}
        <HomeList
          context={context}
          list={list}
          namespaces={namespaces}
          held={held}
          url={url}
          terms={terms}
          selected={selected}
          hasAgent={hasAgent}
          saysAgent={!hasAgent && isWide}
          isNarrow={isNarrow}
          active={active}
          focusRequest={focusRequest}
          onActive={setActive}
          onSort={onSort}
          onToggle={onToggle}
          onToggleAll={() =>
            change({
              sel: toggleVisible(
                url.sel,
                rows.map(({ workload }) => workload),
              ),
            })
          }
          onHold={setHeld}
          onRowKey={onRowKey}
          onUpdate={update}
          onRetry={() => {
            if (context !== undefined) shell.checkContext(context);
            feed?.retry();
          }}
        />
      </div>
      {context === undefined || url.sel.length === 0 ? null : (
        <SelectionBar
          context={context}
          selected={url.sel}
          text={describeSelection(url.sel, list.workloads.values())}
          onClear={() => change({ sel: [] })}
        />
      )}
      <HomeStatus list={list} workloads={counts.total} />
      {isNarrow && isDrawerOpen ? (
        <Late
          part={DRAWER}
          props={{ url, counts: shownCounts, saysAgent: !hasAgent, onClose: () => setDrawerOpen(false) }}
        />
      ) : null}
    </div>
  );
}

function hasActivity(workloads: Iterable<{ readonly agent?: unknown }>): boolean {
  for (const { agent } of workloads) if (agent !== undefined) return true;
  return false;
}

const none = () => () => undefined;
const empty = () => EMPTY_LIST;

import { timestampToMs } from '@logtool/kube/src/values/timestamp.ts';
import {
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import {
  FOOT_TEXTS,
  LOAD_TEXTS,
  notLoadedText,
  OLDER_FILES_TITLE,
  olderFilesText,
} from '../../../messages/log-edges.ts';
import { beginningText } from '../../../messages/standing.ts';
import type { EntryId, Row } from '../../../worker/protocol/protocol.ts';
import { factIdOf } from '../../../worker/store/link.ts';
import { RowSlots } from '../../scroll/row-slots.ts';
import { countGoneRuns, nodesToOffer } from '../../state/standing.ts';
import type { ToolProps } from '../../tools/slots.ts';
import type { ConsoleColumn } from '../../url/console-url.ts';
import { hidesLines } from '../../url/view-plan.ts';
import { GRID_CELL, GRID_GROUP, GRID_ROW } from '../line/grid-cell.ts';
import { LogRow } from '../line/log-row.tsx';
import { rolloutFinder } from './new-pods.ts';

interface LogRowsProps {
  readonly tools: ToolProps;
  readonly columns: readonly ConsoleColumn[];
  readonly speakers: ReadonlyMap<string, string> | undefined;
  readonly grid: RefObject<HTMLElement | null>;
  /** A change causes wrapping rows to be measured again. */
  readonly widthPx: number;
}

/** The rows in view. */
export function LogRows({ tools, columns, speakers, grid, widthPx }: LogRowsProps) {
  const { session, state, url, setUrl, clock } = tools;
  const { scroller } = session;
  const drawn = useSyncExternalStore(scroller.subscribe, scroller.drawn);
  const group = useRef<HTMLDivElement>(null);
  const facts = state.sources.map(({ id, hue, node }) => `${id} ${hue} ${node}`).join('\n');
  // Counts of lines change all the time and are not drawn here.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only these facts are drawn
  const sources = useMemo(() => state.sources, [facts]);
  useMeasuring(group, tools, widthPx, drawn);
  useFocusKept(grid);
  // Scrolling changes the line in the address, but not the opened line.
  const [linked] = useState(url.line);
  const [slotting] = useState(() => new RowSlots());
  const slots = slotting.assign(drawn.rows.map(({ row }) => row.entry));
  const { rollouts } = state.status.facts;
  const known = JSON.stringify(rollouts);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each status has a copy of the same
  const revisionOf = useMemo(() => rolloutFinder(rollouts, sources), [known, sources]);
  const pinned = useMemo(() => new Set(url.pins?.map(({ link }) => link)), [url.pins]);
  return (
    <div ref={group} {...GRID_GROUP}>
      {drawn.headPx === undefined ? null : (
        <LogEdge tools={tools} what="older" text={headText(tools)} topPx={drawn.headPx} />
      )}
      {drawn.footPx === undefined ? null : (
        <LogEdge tools={tools} what="newer" text={FOOT_TEXTS[state.status.loading]} topPx={drawn.footPx} />
      )}
      {drawn.rows.map((each) => {
        const { row } = each;
        return (
          <LogRow
            key={slots.get(row.entry)}
            drawn={each}
            source={row.kind === 'missing' || row.source === undefined ? undefined : sources[row.source]}
            columns={columns}
            speakers={speakers}
            clock={clock}
            isActive={row.entry === state.active}
            isSelected={state.selected.has(row.entry)}
            isOpen={state.open.has(row.entry)}
            newRevision={row.kind === 'line' ? revisionOf(row.source, timestampToMs(row)) : undefined}
            isPinned={row.kind === 'line' && pinned.has(row.link)}
            isLinked={linked !== undefined && isNamedBy(linked, row)}
            wraps={url.wrap === true}
            isRaw={url.raw === true}
            session={session}
            tree={state.open.has(row.entry) ? { url, setUrl } : undefined}
          />
        );
      })}
    </div>
  );
}

/** Whether the link names this row; the row of an exit is also that of the restart after it. */
function isNamedBy(link: string, row: Row): boolean {
  if (row.kind === 'line') return row.link === link;
  if (row.kind !== 'fact') return false;
  const id = factIdOf(link);
  return id !== undefined && (row.fact.id === id || row.restart?.id === id);
}

interface LogEdgeProps {
  readonly tools: ToolProps;
  readonly what: 'older' | 'newer';
  readonly text: string | undefined;
  readonly topPx: number;
}

/**
 * The space before the first row or after the last one: whether the log ends there. If filters hide lines, their list
 * may end where loading stopped: it says where, and offers to load on.
 */
function LogEdge({ tools, what, text, topPx }: LogEdgeProps) {
  const { state, session, url, clock } = tools;
  const { atBeginning, atEnd, oldestSeconds, newestSeconds } = state.status;
  const isEnd = what === 'older' ? atBeginning : atEnd;
  const seconds = what === 'older' ? oldestSeconds : newestSeconds;
  const isOpen = !isEnd && seconds !== undefined && hidesLines(url) && state.around === undefined;
  if (text === undefined && !isOpen) return null;
  return (
    <div {...GRID_ROW} className="log-head" style={{ top: topPx }}>
      <span {...GRID_CELL}>
        {text === undefined ? (
          <>
            {notLoadedText(what, seconds ?? 0, clock)}{' '}
            <button
              type="button"
              className="text-button"
              onClick={() => session.worker.send({ type: 'load', what })}
            >
              {LOAD_TEXTS[what]}
            </button>
          </>
        ) : (
          <>
            {text}
            {what === 'older' ? <OlderFiles tools={tools} /> : null}
          </>
        )}
      </span>
    </div>
  );
}

/** Offers to read the log files that nodes rotated away, if logs begin so late that such files may exist. */
function OlderFiles({ tools }: { readonly tools: ToolProps }) {
  const { state, setUrl, session } = tools;
  const nodes = nodesToOffer(tools);
  if (!state.status.atBeginning || nodes.length === 0) return null;
  const first = session.scroller.rowsInView.find((row) => row.kind === 'line');
  return (
    <>
      {' '}
      <button
        type="button"
        className="text-button"
        title={OLDER_FILES_TITLE}
        // The view opens again, at the line that was its first one.
        onClick={() => setUrl({ rotated: true, line: first?.kind === 'line' ? first.link : undefined })}
      >
        {olderFilesText(nodes)}
      </button>
    </>
  );
}

function headText({ state, url }: ToolProps): string | undefined {
  if (state.status.loading === 'older') return 'Loading older lines…';
  // Without a line, nothing shows where the logs begin, or whether they do.
  if (!state.status.atBeginning || state.status.lines === 0) return undefined;
  // Of runs before the range the page knows nothing.
  const isOfRange = url.last !== undefined || url.from !== undefined;
  const { goneRuns, lostBeginnings, goneContainers } = state.status;
  const allGone = isOfRange ? goneRuns : Math.max(goneRuns, countGoneRuns(state.sources));
  return beginningText({ goneRuns: allGone, lostBeginnings, goneContainers }, isOfRange);
}

/** Reports changed row heights to the scroller. Scrolls an opening tree into view. */
function useMeasuring(
  group: RefObject<HTMLElement | null>,
  { session, state, url }: ToolProps,
  widthPx: number,
  drawn: unknown,
): void {
  const measured = useRef(false);
  const openBefore = useRef(state.open);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of these can change the heights
  useLayoutEffect(() => {
    const measures = url.wrap === true || state.open.size > 0;
    if (!measures && !measured.current) return;
    measured.current = measures;
    const heights = new Map<EntryId, number>();
    for (const row of group.current?.querySelectorAll<HTMLElement>('[data-entry]') ?? []) {
      heights.set(Number(row.dataset.entry), row.offsetHeight);
    }
    session.scroller.measured(heights);
    const { active, open } = state;
    if (active !== undefined && open.has(active) && !openBefore.current.has(active))
      session.scroller.goTo(active, 'nearest');
    openBefore.current = open;
  }, [session, state.open, url.wrap, url.raw, state.density, widthPx, drawn]);
}

/** If a focused part of a row leaves the view, moves the focus to the log, so that the page never gets it. */
function useFocusKept(grid: RefObject<HTMLElement | null>): void {
  const hadFocus = useRef(false);
  useEffect(() => {
    const element = grid.current;
    const gained = () => {
      hadFocus.current = true;
    };
    const lost = (event: FocusEvent) => {
      // Without a next element, the focused one may just have been removed.
      if (event.relatedTarget !== null)
        hadFocus.current = element?.contains(event.relatedTarget as Node) ?? false;
    };
    element?.addEventListener('focusin', gained);
    element?.addEventListener('focusout', lost);
    return () => {
      element?.removeEventListener('focusin', gained);
      element?.removeEventListener('focusout', lost);
    };
  }, [grid]);
  useLayoutEffect(() => {
    if (hadFocus.current && document.activeElement === document.body && document.hasFocus()) {
      grid.current?.focus({ preventScroll: true });
    }
  });
}

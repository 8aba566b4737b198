import { parseTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { compareEnds, type Interval, intersection, intervals } from '../../../domain/coverage/interval.ts';
import type { Sought } from '../coverage/seek-line.ts';
import type { Loads } from '../intake/loads.ts';
import { timeOfBound } from '../known/missing.ts';
import type { BufferStatus, EntryId, FacetFilter } from '../protocol/protocol.ts';
import type { HeldLog } from '../store/held-log.ts';
import type { HeldSource } from '../store/source-table.ts';
import { isByRun } from './facet-filter.ts';

interface RunView {
  readonly log: HeldLog;
  readonly loads: Pick<Loads, 'jump' | 'loading' | 'missingFrom' | 'page'>;
}

/** Lines of a page that is loaded because a person asks for all of a run. */
const REST_LINES = 5_000;

export interface ChosenRunsOptions {
  readonly view: () => RunView;
  /** The interval that contains all lines of the view. */
  readonly range: () => Interval;
  /** Finds the newest line of an interval that all filters accept. */
  readonly seek: (interval: Interval, signal: AbortSignal) => Promise<Sought>;
  /** Called when lines are loaded around the first row. */
  readonly onRows: () => void;
  /** Called when a search begins or ends. */
  readonly onChange: () => void;
}

/**
 * Loads the newest line of chosen runs if no loaded line is of them: the run before a crash may lie far behind the lines
 * that a view opens with, and no count of the range counts by run. Tries once for each choice.
 */
export class ChosenRuns {
  readonly #options: ChosenRunsOptions;
  #abort = new AbortController();
  #tried = '';
  /** Undefined: no run is chosen, or loaded lines of it are shown. */
  state: BufferStatus['runSearch'];

  constructor(options: ChosenRunsOptions) {
    this.#options = options;
  }

  close(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#tried = '';
    this.state = undefined;
  }

  /** Searches again, or loads the other lines of the chosen runs, because a person asks for it. */
  readRest(facets: FacetFilter): void {
    if (this.state === 'unread') {
      this.close();
      this.#options.onChange();
    } else if (isByRun(facets) && this.state === undefined) void this.#load(facets, this.#abort.signal);
  }

  /** Loads the times of the chosen runs, as much as the tab can hold beside what it holds. */
  async #load(facets: FacetFilter, signal: AbortSignal): Promise<void> {
    const { log, loads } = this.#options.view();
    while (log.store.lines + REST_LINES <= log.limits.lines) {
      const gap = unheldOf(log, facets);
      const load =
        gap === undefined
          ? loads.page('older', REST_LINES, signal)
          : loads.missingFrom(gap, 'start', REST_LINES, signal);
      const hasMore = await load;
      if (signal.aborted || hasMore === undefined || (gap === undefined && !hasMore)) return;
    }
  }

  /** Takes the current filters. `asked`: changes with each view, filter and search. */
  update(asked: number, facets: FacetFilter): void {
    const { log, loads } = this.#options.view();
    log.view.refresh();
    const isShown = log.view.total > log.view.count('facts');
    if (!isByRun(facets) || isShown || log.isWhole) {
      if (this.state !== undefined) this.close();
      return;
    }
    const key = `${log.store.table.firstId} ${asked}`;
    if (key === this.#tried || log.edges.older === 'unknown' || loads.loading !== 'none') return;
    this.close();
    this.#tried = key;
    this.state = 'seeking';
    void this.#show(facets, this.#abort.signal);
  }

  async #show(facets: FacetFilter, signal: AbortSignal): Promise<void> {
    const { log, loads } = this.#options.view();
    const [interval] = intersection(
      intervals(this.#options.range()),
      intervals({ from: undefined, to: endOfRuns(log, facets) }),
    );
    const sought: Sought =
      interval === undefined ? { kind: 'none' } : await this.#options.seek(interval, signal);
    if (signal.aborted) return;
    if (sought.kind === 'found') await loads.jump({ at: 'time', ...sought.at }, signal);
    if (signal.aborted) return;
    this.state = stateAfter(sought);
    this.#options.onChange();
    if (sought.kind === 'found') this.#options.onRows();
  }
}

function stateAfter(sought: Sought): BufferStatus['runSearch'] {
  switch (sought.kind) {
    case 'found':
      return undefined;
    case 'none':
      return sought.hasGap === true ? 'unread' : 'none';
    case 'unread':
      return 'unread';
  }
}

/** The latest range that is not held, and that begins before the end of the chosen runs. */
function unheldOf(log: HeldLog, facets: FacetFilter): EntryId | undefined {
  const { missing } = log.store;
  const end = endOfRuns(log, facets);
  const isOfRuns = (entry: EntryId) => {
    const range = missing.get(entry);
    return range !== undefined && compareEnds(timeOfBound(range.from), end) < 0;
  };
  return [...missing.keys()]
    .filter(isOfRuns)
    .toSorted((a, b) => log.store.compare(a, b))
    .at(-1);
}

/** A time after all records of the included runs; undefined: unknown, or one of them still runs. */
export function endOfRuns({ store }: HeldLog, { include }: FacetFilter): Timestamp | undefined {
  const ends = (include.run ?? []).map((order) => endOfRun(store.sources.ofRun(order)));
  return ends.reduce((last, end) => (compareEnds(last, end) < 0 ? end : last), ends[0]);
}

/** The status has the second in which the current run began; earlier ones may have ended in that second. */
function endOfRun(run: HeldSource | undefined): Timestamp | undefined {
  const { state } = run?.owner ?? {};
  if (run === undefined || state?.kind !== 'running' || run.wire.restarts >= state.restarts) return undefined;
  const start = state.startedAt === undefined ? undefined : parseTimestamp(state.startedAt);
  return start && { seconds: start.seconds + 1, nanos: 0 };
}

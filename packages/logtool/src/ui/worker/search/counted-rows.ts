import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import type { Interval } from '../../../domain/coverage/interval.ts';
import type { CountedView } from '../coverage/counted-view.ts';
import type { Sought } from '../coverage/seek-line.ts';
import type { Loads } from '../intake/loads.ts';
import type { ScanStatus } from '../protocol/protocol.ts';
import { type HeldLog, isFiltering } from '../store/held-log.ts';

interface ShownView {
  readonly log: HeldLog;
  readonly loads: Pick<Loads, 'jump' | 'loading'>;
}

export interface CountedRowsOptions {
  readonly view: () => ShownView;
  /** Finds the newest line of an interval that all filters accept, in the logs of other containers than these. */
  readonly seek: (interval: Interval, without: readonly string[], signal: AbortSignal) => Promise<Sought>;
  /** Called when lines are loaded around the first row. */
  readonly onRows: () => void;
}

/** A list with fewer rows than this is not filled while ranges between the loaded lines are not loaded. */
const MIN_ROWS = 100;

/**
 * Loads the newest counted line of a filtered view that shows none of the loaded lines, or few of them, so that its list
 * can fill from there. Tries once for each state of the counts.
 */
export class CountedRows {
  readonly #options: CountedRowsOptions;
  #abort = new AbortController();
  #tried = '';

  constructor(options: CountedRowsOptions) {
    this.#options = options;
  }

  close(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
  }

  /** Takes the current counts. `asked`: changes with each view, filter and search. */
  update(asked: number, counted: CountedView | undefined, status: ScanStatus | undefined): void {
    const { log, loads } = this.#options.view();
    if (counted === undefined || status === undefined || status.state === 'reading') return;
    if (!isFiltering(log.view.filter) || status.lines === 0 || loads.loading !== 'none') return;
    if (!lacksRows(log, status.lines)) return;
    const key = [log.store.table.firstId, asked, status.state, status.readToMs].join(' ');
    if (key === this.#tried) return;
    this.#tried = key;
    this.close();
    void this.#show(counted, status, this.#abort.signal);
  }

  async #show({ scan }: CountedView, { readToMs }: ScanStatus, signal: AbortSignal): Promise<void> {
    const { from, to } = scan.range;
    const isPartial = readToMs !== undefined && readToMs !== Number.POSITIVE_INFINITY;
    const { log, loads } = this.#options.view();
    const without = [
      ...new Set([...log.silent, ...scan.counts.incomplete.filter((id) => !isPartial || !hasRead(scan, id))]),
    ];
    const sought = await this.#options.seek(
      { from, to: isPartial ? timestampFromMs(readToMs) : to },
      without,
      signal,
    );
    if (signal.aborted || sought.kind !== 'found') return;
    await loads.jump({ at: 'time', ...sought.at }, signal);
    if (!signal.aborted) this.#options.onRows();
  }
}

/** Whether a list shows none of the counted lines, or few of them on both sides of a range that is not loaded. */
function lacksRows({ view, store }: HeldLog, counted: number): boolean {
  view.refresh();
  const shown = view.total - view.count('facts');
  return shown === 0 || (store.missing.size > 0 && shown < Math.min(MIN_ROWS, counted));
}

/** Whether a scan has read anything of a container. */
function hasRead({ counts }: CountedView['scan'], id: string): boolean {
  return counts.readOf(id)?.to !== undefined;
}

import type { LogRecord } from '../../domain/record.ts';
import type { SearchContext } from '../match/batch-filter.ts';
import type { Role } from '../match/context-lines.ts';
import type { OrderedBatches } from '../spill/spill.ts';
import type { Page } from './counted-page.ts';
import { type MarkedLaneOptions, type Marks, markedLane } from './marked-lane.ts';

/** Options for marking the lanes of a search (marked-lane.ts). */
interface ContextPageOptions extends Omit<MarkedLaneOptions, 'id'> {
  /** The containers of the lanes. */
  readonly ids: readonly string[];
  /** Whether the lines after the last match include later matches. */
  readonly wholeContext: boolean;
}

/**
 * Chooses the records of a forward search that are on its page: the first matches, the lines before them, and after the
 * last one those that follow a match. The page ends before the first line that is shown only for a later match, or, with
 * `wholeContext`, when every match has the lines that follow it.
 */
export class ContextPage implements Page {
  readonly #count: number;
  readonly #marks: Marks = new Map();
  readonly #search: SearchContext;
  readonly #laneOptions: ContextPageOptions;
  /** Number of lines that still follow a match, by container, at the page's current position. */
  readonly #following = new Map<string, number>();
  /** The last shown line of containers that were read to the end. */
  readonly #ended = new Map<string, LogRecord | undefined>();
  readonly #last = new Map<string, LogRecord>();
  #matches = 0;
  isOver = false;
  isCut = false;

  /** `count`: number of matches. */
  constructor(count: number, search: SearchContext, options: ContextPageOptions) {
    this.#count = count;
    this.#search = search;
    this.#laneOptions = options;
  }

  lanes(opened: readonly OrderedBatches[]): readonly OrderedBatches[] {
    const { ids, ...options } = this.#laneOptions;
    return opened.map((lane, index) => {
      const onEnd = (id: string, last: LogRecord | undefined) => this.#ended.set(id, last);
      return markedLane(lane, this.#search, this.#marks, onEnd, { id: ids[index]!, ...options });
    });
  }

  /** The lanes are already matched. */
  prepare(): undefined {}

  /** Takes the next records inside the window, in the total order; returns those that are shown. */
  take(records: readonly LogRecord[]): LogRecord[] {
    const shown: LogRecord[] = [];
    for (const record of records) {
      if (this.isOver) break;
      const isWanted = this.#isWanted(record);
      if (isWanted) shown.push(record);
    }
    return shown;
  }

  /** Ends the page if no record can follow. */
  #isWanted(record: LogRecord): boolean {
    const role = this.#marks.get(record);
    const isFull = this.#matches >= this.#count;
    const isWanted = !isFull || this.#isOfLast(record, role);
    if (this.isOver || role === undefined) return false;
    this.#marks.delete(record);
    if (!isWanted) return false;
    if (role === 'match' && !isFull) this.#matches++;
    // A match beyond the count is only one of the lines that follow another.
    this.#note(record, isFull ? 'after' : role);
    return true;
  }

  /** After the last match: whether a record is shown with it or an earlier one. Ends the page if none can follow. */
  #isOfLast(record: LogRecord, role: Role | undefined): boolean {
    const isFollowing = (this.#following.get(record.run.target.id) ?? 0) > 0;
    const { wholeContext } = this.#laneOptions;
    const isLater = (role === 'match' || role === 'before') && !(wholeContext && isFollowing);
    this.isCut ||= isLater;
    const isEnd = this.isCut && this.#search.waiting === undefined && !wholeContext;
    this.isOver = isEnd || this.#count === 0 || this.#isSettled();
    // Lines of a later record lie among those of the last ones.
    return !isLater && isFollowing;
  }

  #note(record: LogRecord, role: Role): void {
    if (this.#count === Number.POSITIVE_INFINITY) return;
    const { id } = record.run.target;
    this.#last.set(id, record);
    if (role === 'match') this.#following.set(id, this.#search.following(record));
    else if (role === 'after') this.#following.set(id, (this.#following.get(id) ?? 1) - 1);
    else role satisfies 'before';
  }

  /** Whether no line follows a match any more. */
  #isSettled(): boolean {
    for (const [id, left] of this.#following) {
      const hasEnded = this.#ended.has(id) && this.#ended.get(id) === this.#last.get(id);
      if (left === 0 || hasEnded) this.#following.delete(id);
      else return false;
    }
    return true;
  }
}

import type { LogRecord } from '../../domain/record.ts';
import type { ContextLines } from '../match/context-lines.ts';
import type { Marks } from './marked-lane.ts';

/**
 * Which records of a search forward stand on its page: the first matches, the lines in front of them, and behind the
 * last one those that follow a match. The page ends in front of the first line that is shown for a later match alone.
 * So pages are parts of one sequence, and none of them needs to know what another has shown.
 */
export class ContextPage {
  readonly #count: number;
  readonly #marks: Marks;
  readonly #after: number;
  /** Lines that are still to follow a match, by container, as far as the page has come. */
  readonly #following = new Map<string, number>();
  /** The last line that is shown of containers that were read to the end. */
  readonly #ended = new Map<string, LogRecord | undefined>();
  readonly #last = new Map<string, LogRecord>();
  #matches = 0;
  #isOver = false;
  #isCut = false;

  /** `count`: of matches. `ids`: of the containers; some of their lines may follow a match in front of the page. */
  constructor(count: number, marks: Marks, lines: ContextLines, after: number, ids: readonly string[]) {
    this.#count = count;
    this.#marks = marks;
    this.#after = after;
    for (const id of ids) if (lines.following(id) > 0) this.#following.set(id, lines.following(id));
  }

  /** Behind it there are records. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Behind it there are matches. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** All of a container has been read; `last` is the last line that is shown of it. */
  ended(id: string, last: LogRecord | undefined): void {
    this.#ended.set(id, last);
  }

  /** A record in front of the page. */
  skip(record: LogRecord): void {
    this.#note(record);
  }

  /** The next records inside the window, in the total order; returns those that are shown. */
  take(records: readonly LogRecord[]): LogRecord[] {
    const shown: LogRecord[] = [];
    for (const record of records) {
      if (this.#isOver) break;
      const part = this.#marks.get(record);
      if (this.#matches >= this.#count) {
        this.#isCut = part === 'match' || part === 'before';
        this.#isOver = this.#isCut || this.#count === 0 || this.#isSettled();
        if (this.#isOver) break;
      }
      if (part === undefined) continue;
      shown.push(record);
      if (part === 'match') this.#matches++;
      this.#note(record);
    }
    return shown;
  }

  #note(record: LogRecord): void {
    const part = this.#marks.get(record);
    this.#marks.delete(record);
    if (this.#count === Number.POSITIVE_INFINITY) return;
    const { id } = record.source.target;
    if (part !== undefined) this.#last.set(id, record);
    if (part === 'match') this.#following.set(id, this.#after);
    else if (part === 'after') this.#following.set(id, this.#following.get(id)! - 1);
  }

  /** No line follows a match any more. */
  #isSettled(): boolean {
    for (const [id, left] of this.#following) {
      const hasEnded = this.#ended.has(id) && this.#ended.get(id) === this.#last.get(id);
      if (left === 0 || hasEnded) this.#following.delete(id);
      else return false;
    }
    return true;
  }
}

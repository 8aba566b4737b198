import { compareTimestamps, formatTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { LogRecord } from '@logtool/logtool/src/domain/record.ts';
import type { ResumePoint } from '@logtool/logtool/src/stream/plan/engine.ts';

/** Holds records like the page: identifies repeated ones by container, time and bytes, as a multiset. */
export class Page {
  readonly held: LogRecord[] = [];
  #again = new Map<string, number>();

  /** Begins a new connection: held records may come again. */
  beginResume(): void {
    this.#again = new Map();
    for (const record of this.held) {
      const name = nameOf(record);
      this.#again.set(name, (this.#again.get(name) ?? 0) + 1);
    }
  }

  take(records: readonly LogRecord[]): void {
    for (const record of records) {
      const name = nameOf(record);
      const count = this.#again.get(name) ?? 0;
      if (count > 0) this.#again.set(name, count - 1);
      else this.held.push(record);
    }
  }

  /**
   * Returns the resume point of each container; `newestRun` may know a later run than that of the newest
   * line.
   */
  points(newestRun: (id: string, runId: string) => string): ReadonlyMap<string, ResumePoint> {
    const newest = new Map<string, { at: Timestamp; runId: string }>();
    for (const { at, run } of this.held) {
      const { id } = run.target;
      const known = newest.get(id);
      if (known === undefined || compareTimestamps(at, known.at) >= 0) {
        newest.set(id, { at, runId: run.key.containerId });
      }
    }
    return new Map([...newest].map(([id, { at, runId }]) => [id, { at, runId: newestRun(id, runId) }]));
  }
}

/** Excludes the run: the page identifies lines of one container only by time and bytes. */
function nameOf({ at, message, run }: LogRecord): string {
  return `${run.target.id} ${formatTimestamp(at)} ${Buffer.from(message).toString('latin1')}`;
}

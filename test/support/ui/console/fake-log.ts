import { NO_STATUS } from '@logtool/logtool/src/ui/console/state/console-state.ts';
import type {
  BufferStatus,
  EntryId,
  FromWorker,
  Row,
  ToWorker,
} from '@logtool/logtool/src/ui/worker/protocol/protocol.ts';
import {
  createLogWorker,
  type LogWorker,
  type WorkerPort,
} from '@logtool/logtool/src/ui/worker/session/log-worker-client.ts';

type LineRow = Extract<Row, { readonly kind: 'line' }>;
export type FakeEntry =
  | Omit<LineRow, 'index'>
  | Omit<Extract<Row, { kind: 'marker' }>, 'index'>
  | Omit<Extract<Row, { kind: 'missing' }>, 'index'>;

const IDLE_STATUS: BufferStatus = {
  ...NO_STATUS,
  version: 0,
  atEnd: true,
  loading: 'none',
  connection: { state: 'live' },
};

/** A log worker without a server: it holds the entries that a test provides, and answers from them at once. */
export class FakeLog implements WorkerPort {
  entries: FakeEntry[] = [];
  status: BufferStatus = IDLE_STATUS;
  readonly received: ToWorker[] = [];
  /** Whether answers wait until `answer()`. */
  holdsAnswers = false;
  #held: FromWorker[] = [];
  /** Indexes of the rows sent last: a removed row is requested by its index. */
  #indexes = new Map<EntryId, number>();
  #nextEntry = 1;
  /** Lines added at the end move no index. */
  #isGrowing = false;
  #listeners: ((event: { readonly data: FromWorker }) => void)[] = [];

  client(): LogWorker {
    return createLogWorker({ basePath: '', token: 't', spawn: () => this });
  }

  addEventListener(type: 'message' | 'error', listener: (event: never) => void): void {
    if (type === 'message') this.#listeners.push(listener as (event: { readonly data: FromWorker }) => void);
  }

  terminate(): void {
    this.#listeners = [];
  }

  makeLine(fields: Partial<LineRow> = {}): FakeEntry {
    const entry = this.#nextEntry++;
    return {
      kind: 'line',
      entry,
      seconds: 1_795_268_000 + Math.floor(entry / 10),
      nanos: (entry % 10) * 1e8,
      source: 0,
      level: 'info',
      text: `line ${entry}`,
      flags: 0,
      isJson: false,
      hits: [],
      link: `link-${entry}`,
      ...fields,
    };
  }

  /** Adds lines at the end, as following does. */
  append(count: number, fields: Partial<LineRow> = {}): void {
    for (let at = 0; at < count; at++) this.entries.push(this.makeLine(fields));
    this.#isGrowing = true;
    this.change({ arrived: this.status.arrived + count });
    this.#isGrowing = false;
  }

  /** Adds older lines above. */
  prepend(count: number): void {
    this.entries.unshift(...Array.from({ length: count }, () => this.makeLine()));
    this.change({});
  }

  /** Evicts the oldest lines. */
  evict(count: number): void {
    this.entries.splice(0, count);
    this.change({});
  }

  change(status: Partial<BufferStatus>): void {
    const version = this.status.version + (this.#isGrowing ? 0 : 1);
    this.status = {
      ...this.status,
      rows: this.entries.length,
      lines: this.entries.length,
      ...status,
      version,
    };
    this.report({ type: 'status', status: this.status });
  }

  postMessage(message: ToWorker): void {
    this.received.push(message);
    if (message.type === 'rows') this.#answer(this.#rows(message));
    if (message.type === 'text') {
      const lines = this.entries.filter(
        (entry) => entry.kind === 'line' && message.entries.includes(entry.entry),
      );
      const text = lines.map((entry) => (entry.kind === 'line' ? entry.text : '')).join('\n');
      const link = lines[0]?.kind === 'line' ? lines[0].link : undefined;
      this.#answer({ type: 'text', request: message.request, text, lines: lines.length, link });
    }
    if (message.type === 'range') {
      const at = [this.#indexOf(message.from), this.#indexOf(message.to)].sort((a, b) => a - b);
      const entries = this.entries.slice(at[0], (at[1] ?? 0) + 1).map(({ entry }) => entry);
      this.#answer({ type: 'range', request: message.request, entries });
    }
    if (message.type === 'find') this.#answer(this.#find(message));
    if (message.type === 'jump') {
      const { to } = message;
      const found =
        to.at === 'start'
          ? this.entries[0]
          : to.at === 'line'
            ? this.entries.find((entry) => entry.kind === 'line' && entry.link === to.link)
            : this.entries.at(-1);
      this.#answer({ type: 'jumped', request: message.request, entry: found?.entry });
    }
  }

  report(message: FromWorker): void {
    for (const listener of this.#listeners) listener({ data: message });
  }

  /** Sends the answers that were held back. */
  answer(): void {
    for (const message of this.#held.splice(0)) this.report(message);
  }

  #answer(message: FromWorker): void {
    if (this.holdsAnswers) this.#held.push(message);
    else this.report(message);
  }

  #indexOf(entry: EntryId): number {
    const at = this.entries.findIndex((held) => held.entry === entry);
    return at === -1 ? (this.#indexes.get(entry) ?? 0) : at;
  }

  /** Finds lines with level error or warn, and lines with hits. */
  #find({ request, from, direction, what }: Extract<ToWorker, { type: 'find' }>): FromWorker {
    const isWanted = (entry: FakeEntry) =>
      entry.kind === 'line' && (what === 'hit' ? entry.hits.length > 0 : entry.level === what);
    const at = from === undefined ? undefined : this.#indexOf(from);
    const order =
      direction === 'next'
        ? this.entries.slice(at === undefined ? 0 : at + 1)
        : this.entries.slice(0, at ?? this.entries.length).reverse();
    const found = order.find(isWanted);
    return {
      type: 'found',
      request,
      entry: found?.entry,
      searchedBackTo: undefined,
      isExact: true,
    };
  }

  #rows(message: Extract<ToWorker, { type: 'rows' }>): FromWorker {
    const { anchor } = message;
    const wanted =
      anchor.at === 'entry'
        ? this.#indexOf(anchor.entry)
        : anchor.at === 'index'
          ? anchor.index
          : anchor.at === 'end'
            ? this.entries.length - 1
            : 0;
    const anchorIndex = Math.max(0, Math.min(wanted, this.entries.length - 1));
    const from = Math.max(0, anchorIndex - message.above);
    const rows = this.entries
      .slice(from, anchorIndex + message.below)
      .map((entry, at): Row => ({ ...entry, index: from + at }));
    this.#indexes = new Map(rows.map(({ entry, index }) => [entry, index]));
    return {
      type: 'rows',
      request: message.request,
      version: this.status.version,
      total: this.entries.length,
      rows,
      anchorIndex,
    };
  }
}

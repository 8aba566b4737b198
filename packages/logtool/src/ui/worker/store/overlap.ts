import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { EntryId } from '../protocol/protocol.ts';
import { KIND } from './entry-table.ts';
import type { LineStore, NewLine } from './line-store.ts';

/** Maximum times whose loaded lines are cached. */
const MAX_TIMES = 2_000;
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Distinguishes lines repeated after a cut from new ones: as a multiset of container, time and text, never only by
 * time. Each loaded line accounts for one repeated line.
 */
export class Overlap {
  readonly #store: LineStore;
  /** Lines from this id on arrived after the cut. */
  readonly #firstNew: EntryId;
  /** Those of them that pages delivered: the stream may deliver them too. */
  readonly #ofPages: { readonly from: EntryId; to: EntryId }[] = [];
  #until: Timestamp | undefined;
  readonly #times = new Map<string, Map<string, number>>();

  constructor(store: LineStore) {
    this.#store = store;
    this.#firstNew = store.table.nextId;
    const { last } = store.order;
    this.#until = last === undefined ? undefined : store.time(last);
  }

  /** Notes that a page delivered this line after the cut. */
  put(line: NewLine, id: EntryId): void {
    const range = this.#ofPages.at(-1);
    if (range?.to === id) range.to++;
    else this.#ofPages.push({ from: id, to: id + 1 });
    if (this.#until === undefined || compareTimestamps(line, this.#until) > 0)
      this.#until = { seconds: line.seconds, nanos: line.nanos };
    const held = this.#times.get(nameOf(line));
    if (held === undefined) return;
    const key = this.#keyOf(line);
    held.set(key, (held.get(key) ?? 0) + 1);
  }

  /** Whether the line is already held; if so, uses that held line up. */
  takes(line: NewLine): boolean {
    const until = this.#until;
    if (until === undefined || compareTimestamps(line, until) > 0) return false;
    const held = this.#at(line);
    const key = this.#keyOf(line);
    const left = held.get(key) ?? 0;
    if (left === 0) return false;
    held.set(key, left - 1);
    return true;
  }

  #keyOf({ source, text }: NewLine): string {
    return keyOf(this.#store.sources.get(source).wire.id, wellFormed(text));
  }

  /** Counts the lines at a time that were held before the cut or came from pages, by container and text. */
  #at(at: Timestamp): Map<string, number> {
    const name = nameOf(at);
    const known = this.#times.get(name);
    if (known !== undefined) return known;
    const held = new Map<string, number>();
    const { table, order, sources } = this.#store;
    for (const id of order.from(this.#store.positionOf(at))) {
      if (table.seconds(id) !== at.seconds || table.nanos(id) !== at.nanos) break;
      if (table.kind(id) !== KIND.line || !this.#isCounted(id)) continue;
      const key = keyOf(sources.get(table.source(id)).wire.id, this.#store.text(id));
      held.set(key, (held.get(key) ?? 0) + 1);
    }
    if (this.#times.size >= MAX_TIMES) this.#forgetOldest();
    this.#times.set(name, held);
    return held;
  }

  #isCounted(id: EntryId): boolean {
    return id < this.#firstNew || this.#ofPages.some(({ from, to }) => id >= from && id < to);
  }

  /**
   * Forgets the oldest times, but only those without used-up lines, which can be counted again. The rest stays: the
   * overlap is a few seconds of each container.
   */
  #forgetOldest(): void {
    for (const [name, held] of this.#times) {
      if (held.size === 0) this.#times.delete(name);
    }
  }
}

function nameOf({ seconds, nanos }: Timestamp): string {
  return `${seconds} ${nanos}`;
}

function keyOf(container: string, text: string): string {
  return `${container}\n${text}`;
}

/** The text as stored: bytes have no lone surrogates. */
function wellFormed(text: string): string {
  return /\p{Cs}/u.test(text) ? decoder.decode(encoder.encode(text)) : text;
}

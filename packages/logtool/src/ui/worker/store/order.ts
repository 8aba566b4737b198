/** Entries per chunk. */
export const ORDER_CHUNK = 2048;

/** Some consecutive entries. */
export class OrderChunk {
  readonly ids = new Float64Array(ORDER_CHUNK);
  length = 0;
  /** Changes whenever existing entries move, but not when entries are added after them. */
  version = 0;
  /** Changes when the grouping of its lines into records changes. */
  regrouped = 0;

  first(): number {
    return this.ids[0] as number;
  }

  last(): number {
    return this.ids[this.length - 1] as number;
  }
}

/** A position in the order: before the entry at `offset` of a chunk, or after its last entry. */
export interface OrderPosition {
  readonly chunk: number;
  readonly offset: number;
}

/**
 * Ids in an order that the caller decides, in chunks: adding at the end costs nothing, adding or removing elsewhere
 * moves one chunk.
 */
export class Order {
  readonly chunks: OrderChunk[] = [];
  length = 0;
  /** Counts the changes that moved indexes: all except adding at the end. */
  moves = 0;
  #starts: number[] = [];
  #isStale = true;

  /** The first position whose entry is not before the target: `compare` is negative for entries before it. */
  search(compare: (id: number) => number): OrderPosition {
    let low = 0;
    let high = this.chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compare((this.chunks[middle] as OrderChunk).last()) < 0) low = middle + 1;
      else high = middle;
    }
    const chunk = this.chunks[low];
    if (chunk === undefined) return this.end();
    let from = 0;
    let to = chunk.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (compare(chunk.ids[middle] as number) < 0) from = middle + 1;
      else to = middle;
    }
    return { chunk: low, offset: from };
  }

  end(): OrderPosition {
    const last = this.chunks.length - 1;
    return last < 0
      ? { chunk: 0, offset: 0 }
      : { chunk: last, offset: (this.chunks[last] as OrderChunk).length };
  }

  /** The entry at a position, or the next one; undefined at the end. */
  at(position: OrderPosition): number | undefined {
    const chunk = this.chunks[position.chunk];
    if (chunk === undefined) return undefined;
    return position.offset < chunk.length
      ? (chunk.ids[position.offset] as number)
      : this.chunks[position.chunk + 1]?.first();
  }

  /** The entry before a position. */
  before(position: OrderPosition): number | undefined {
    if (position.offset > 0) return this.chunks[position.chunk]?.ids[position.offset - 1];
    return position.chunk > 0 ? this.chunks[position.chunk - 1]?.last() : undefined;
  }

  get first(): number | undefined {
    return this.chunks[0]?.first();
  }

  get last(): number | undefined {
    return this.chunks.at(-1)?.last();
  }

  push(id: number): void {
    let chunk = this.chunks.at(-1);
    if (chunk === undefined || chunk.length === ORDER_CHUNK) {
      chunk = new OrderChunk();
      this.chunks.push(chunk);
      this.#isStale = true;
    }
    chunk.ids[chunk.length++] = id;
    this.length++;
  }

  insert(position: OrderPosition, id: number): void {
    let { chunk: index, offset } = position;
    let chunk = this.chunks[index];
    const isLast = index >= this.chunks.length - 1;
    if (chunk === undefined || (isLast && offset === chunk.length)) {
      this.push(id);
      return;
    }
    this.#isStale = true;
    this.moves++;
    this.length++;
    if (chunk.length === ORDER_CHUNK) {
      this.#split(index);
      if (offset > chunk.length) {
        offset -= chunk.length;
        chunk = this.chunks[++index] as OrderChunk;
      }
    }
    if (offset < chunk.length) {
      chunk.ids.copyWithin(offset + 1, offset, chunk.length);
      chunk.version++;
    }
    chunk.ids[offset] = id;
    chunk.length++;
  }

  remove(position: OrderPosition): void {
    const chunk = this.chunks[position.chunk] as OrderChunk;
    chunk.ids.copyWithin(position.offset, position.offset + 1, chunk.length);
    chunk.length--;
    chunk.version++;
    this.length--;
    this.moves++;
    this.#isStale = true;
    if (chunk.length === 0) this.chunks.splice(position.chunk, 1);
  }

  /** Removes that many entries from the beginning. */
  dropFirst(count: number): void {
    this.length -= count;
    this.moves++;
    this.#isStale = true;
    let left = count;
    let whole = 0;
    for (; left > 0; whole++) {
      const chunk = this.chunks[whole] as OrderChunk;
      if (chunk.length > left) {
        chunk.ids.copyWithin(0, left, chunk.length);
        chunk.length -= left;
        chunk.version++;
        break;
      }
      left -= chunk.length;
    }
    this.chunks.splice(0, whole);
  }

  /** Removes that many entries from the end. */
  dropLast(count: number): void {
    this.length -= count;
    this.moves++;
    this.#isStale = true;
    for (let left = count; left > 0; ) {
      const chunk = this.chunks.at(-1) as OrderChunk;
      if (chunk.length > left) {
        chunk.length -= left;
        chunk.version++;
        return;
      }
      left -= chunk.length;
      this.chunks.pop();
    }
  }

  /** Keeps only the entries for which `wanted` returns true. */
  filter(wanted: (id: number) => boolean): void {
    for (const chunk of this.chunks) {
      let kept = 0;
      for (let index = 0; index < chunk.length; index++) {
        const id = chunk.ids[index] as number;
        if (wanted(id)) chunk.ids[kept++] = id;
      }
      if (kept === chunk.length) continue;
      this.length -= chunk.length - kept;
      chunk.length = kept;
      chunk.version++;
    }
    const left = this.chunks.filter((chunk) => chunk.length > 0);
    this.chunks.splice(0, this.chunks.length, ...left);
    this.moves++;
    this.#isStale = true;
  }

  /** Index of the first entry of a chunk. */
  start(chunk: number): number {
    if (this.#isStale) {
      let sum = 0;
      this.#starts = this.chunks.map((each) => {
        const start = sum;
        sum += each.length;
        return start;
      });
      this.#isStale = false;
    }
    return this.#starts[chunk] ?? this.length;
  }

  /** The entry at an index; undefined: beyond the end. */
  atIndex(index: number): number | undefined {
    let left = index;
    for (const { ids, length } of this.chunks) {
      if (left < length) return left < 0 ? undefined : ids[left];
      left -= length;
    }
    return undefined;
  }

  /** Yields all ids from a position to the end. */
  *from(position: OrderPosition): Generator<number, void, undefined> {
    for (let index = position.chunk; index < this.chunks.length; index++) {
      const chunk = this.chunks[index] as OrderChunk;
      for (let offset = index === position.chunk ? position.offset : 0; offset < chunk.length; offset++) {
        yield chunk.ids[offset] as number;
      }
    }
  }

  /** Yields all ids before a position, backward. */
  *back(position: OrderPosition): Generator<number, void, undefined> {
    for (let index = Math.min(position.chunk, this.chunks.length - 1); index >= 0; index--) {
      const chunk = this.chunks[index] as OrderChunk;
      const start = index === position.chunk ? position.offset : chunk.length;
      for (let offset = start - 1; offset >= 0; offset--) yield chunk.ids[offset] as number;
    }
  }

  #split(index: number): void {
    const chunk = this.chunks[index] as OrderChunk;
    const half = chunk.length >>> 1;
    const next = new OrderChunk();
    next.ids.set(chunk.ids.subarray(half, chunk.length));
    next.length = chunk.length - half;
    chunk.length = half;
    chunk.version++;
    this.chunks.splice(index + 1, 0, next);
  }
}

/** Returns the earlier of two positions. */
export function earlier(a: OrderPosition, b: OrderPosition): OrderPosition {
  return isBefore(b, a) ? b : a;
}

/** Returns the later of two positions. */
export function later(a: OrderPosition, b: OrderPosition): OrderPosition {
  return isBefore(a, b) ? b : a;
}

function isBefore(a: OrderPosition, b: OrderPosition): boolean {
  return a.chunk < b.chunk || (a.chunk === b.chunk && a.offset < b.offset);
}

/** The same position, at the entry itself rather than after the last entry of the previous chunk. */
export function normal(order: Order, position: OrderPosition): OrderPosition {
  const chunk = order.chunks[position.chunk];
  return chunk !== undefined && position.offset < chunk.length
    ? position
    : { chunk: position.chunk + 1, offset: 0 };
}

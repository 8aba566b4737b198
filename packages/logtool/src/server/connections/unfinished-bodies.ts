import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { serverFailure } from '../failures.ts';
import { Groups } from './groups.ts';

/** Maximum bytes of incomplete bodies from one person or (before the sign-in) one address. */
export const MAX_UNFINISHED_OF_ONE = 2 * 1024 * 1024;
/** The same limit for everyone together. */
export const MAX_UNFINISHED = 16 * 1024 * 1024;

interface Entry {
  readonly cut: AbortController;
  size: number;
}

/** A body in transit. */
export interface UnfinishedBody {
  /** Aborted with a CodedError `too-many-bodies` when it must make room. */
  readonly signal: AbortSignal;
  add(bytes: number): void;
  /** Must be called when the body is complete or no longer wanted. */
  end(): void;
}

/**
 * Counts bytes of unfinished bodies; a client with too many loses the oldest. An honest body is unfinished
 * only for moments.
 */
export class UnfinishedBodies {
  readonly #bodies = new Groups<Entry>();
  readonly #sizes = new Map<string, number>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  begin(owner: string): UnfinishedBody {
    const entry: Entry = { cut: new AbortController(), size: 0 };
    this.#bodies.add(owner, entry);
    return {
      signal: entry.cut.signal,
      add: (bytes) => {
        if (entry.cut.signal.aborted) return;
        entry.size += bytes;
        this.#count(owner, bytes);
        while (this.#sizeOf(owner) > MAX_UNFINISHED_OF_ONE) this.#cutOldest(owner);
        while (this.#size > MAX_UNFINISHED) this.#cutOldest(this.#greediest());
      },
      end: () => this.#end(owner, entry),
    };
  }

  #sizeOf(owner: string): number {
    return this.#sizes.get(owner) ?? 0;
  }

  #count(owner: string, bytes: number): void {
    this.#size += bytes;
    const size = this.#sizeOf(owner) + bytes;
    if (size === 0) this.#sizes.delete(owner);
    else this.#sizes.set(owner, size);
  }

  #greediest(): string {
    let found = '';
    for (const [owner, size] of this.#sizes) if (size > this.#sizeOf(found)) found = owner;
    return found;
  }

  /** Aborts the oldest body that holds any bytes. */
  #cutOldest(owner: string): void {
    for (const entry of this.#bodies.of(owner)) {
      if (entry.size === 0) continue;
      this.#end(owner, entry);
      entry.cut.abort(tooMany());
      return;
    }
    throw new Error(`bytes of no body: ${this.#sizeOf(owner)}`);
  }

  #end(owner: string, entry: Entry): void {
    this.#bodies.delete(owner, entry);
    this.#count(owner, -entry.size);
    entry.size = 0;
  }
}

function tooMany(): CodedError {
  return serverFailure('too-many-bodies', { limitBytes: MAX_UNFINISHED_OF_ONE });
}

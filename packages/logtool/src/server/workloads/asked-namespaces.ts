import type { WireError } from '../../contract/error.ts';
import { serverFailure } from '../failures.ts';
import { toWireError } from '../to-wire-error.ts';
import type { FeedListener } from './feed-listener.ts';

/**
 * Namespaces that no list contains, but that are requested by name: each is watched by itself, kind by kind.
 */
export const MAX_BY_NAME = 2_000;

export const TOO_MANY: WireError = toWireError(serverFailure('too-many-namespaces', { limit: MAX_BY_NAME }));

/** The namespaces of a feed: those that are known without being asked for, and those that its listeners name. */
export class AskedNamespaces {
  /** Known in any case. */
  readonly known: Set<string>;
  readonly #asked = new Map<FeedListener, readonly string[]>();

  constructor(known: readonly string[]) {
    this.known = new Set(known);
  }

  set(listener: FeedListener, names: readonly string[]): void {
    this.#asked.set(listener, names);
  }

  delete(listener: FeedListener): void {
    this.#asked.delete(listener);
  }

  /** Whether somebody still wants to see that one. */
  wanted(): (name: string) => boolean {
    const names = new Set([...this.#asked.values()].flat());
    return (name) => this.known.has(name) || names.has(name);
  }

  /** The namespaces to watch, and those beyond the limit. */
  shares(): { readonly all: readonly string[]; readonly beyond: readonly string[] } {
    const names = new Set([...this.#asked.values()].flat().filter((name) => !this.known.has(name)));
    const byName = [...names];
    return { all: [...this.known, ...byName.slice(0, MAX_BY_NAME)], beyond: byName.slice(MAX_BY_NAME) };
  }
}

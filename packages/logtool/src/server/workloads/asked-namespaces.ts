import type { WireError } from '../../contract/error.ts';
import { serverFailure } from '../failures.ts';
import { toWireError } from '../to-wire-error.ts';
import type { FeedListener } from './feed-listener.ts';

/**
 * Maximum namespaces that no list contains but that pages request by name: the server watches each one separately, kind
 * by kind.
 */
export const MAX_BY_NAME = 2_000;

export const TOO_MANY: WireError = toWireError(serverFailure('too-many-namespaces', { limit: MAX_BY_NAME }));

/** The namespaces of a feed: known ones, and those that its listeners name. */
export class AskedNamespaces {
  /** Known without a request. */
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

  /** Returns a test for whether any listener still wants a namespace. */
  wanted(): (name: string) => boolean {
    const names = new Set([...this.#asked.values()].flat());
    return (name) => this.known.has(name) || names.has(name);
  }

  /** Returns the namespaces to watch, and those beyond the limit. */
  shares(): { readonly all: readonly string[]; readonly beyond: readonly string[] } {
    const names = new Set([...this.#asked.values()].flat().filter((name) => !this.known.has(name)));
    const byName = [...names];
    return { all: [...this.known, ...byName.slice(0, MAX_BY_NAME)], beyond: byName.slice(MAX_BY_NAME) };
  }
}

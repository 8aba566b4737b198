import { limitError } from '../template/budget.ts';
import { GoError } from '../template/errors.ts';
import type { Value, ValueMap } from '../value/value.ts';

export type LookupQuery = readonly [apiVersion: string, kind: string, namespace: string, name: string];

/**
 * Reads an object, or, for an empty name, the list of a kind; it only gets and lists. Returns an empty map for missing
 * objects. Throws for everything else; the template's error shows the message.
 */
export type Lookup = (query: LookupQuery) => Promise<ValueMap>;

/** A template looks up something that is not in the cache yet. */
export class LookupPending extends Error {
  readonly query: LookupQuery;

  constructor(query: LookupQuery) {
    super(`looking up ${query.join(' ')}`);
    this.query = query;
  }
}

const MAX_LOOKUPS = 500;

/** The cluster objects that a rendering has read. */
export class LookupCache {
  readonly #lookup: Lookup | undefined;
  readonly #found = new Map<string, ValueMap | GoError>();

  constructor(lookup: Lookup | undefined) {
    this.#lookup = lookup;
  }

  /** Throws LookupPending if the object must be read first, and GoError if reading failed. */
  find(query: LookupQuery): Value {
    if (this.#lookup === undefined) return new Map();
    const found = this.#found.get(JSON.stringify(query));
    if (found === undefined) throw new LookupPending(query);
    if (found instanceof GoError) throw found;
    return found;
  }

  async read({ query }: LookupPending): Promise<void> {
    if (this.#found.size >= MAX_LOOKUPS) {
      throw limitError({ of: 'lookups', max: MAX_LOOKUPS });
    }
    const found = await this.#lookup!(query).catch((error: unknown) => {
      if (!(error instanceof Error)) throw error;
      return new GoError(error.message);
    });
    this.#found.set(JSON.stringify(query), found);
  }
}

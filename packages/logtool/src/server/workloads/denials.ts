import type { WireError } from '../../contract/error.ts';
import type { Denial } from './feed-listener.ts';

interface Told {
  readonly kind: string;
  readonly denial: Denial;
}

/** What may not be seen where, each told once. */
export class Denials {
  /** By kind and namespace. */
  readonly #told = new Map<string, Told>();

  get list(): readonly Denial[] {
    return [...this.#told.values()].map(({ denial }) => denial);
  }

  has(kind: string, namespace: string): boolean {
    return this.#told.has(`${kind} ${namespace}`);
  }

  add(kind: string, namespace: string, error: WireError): Denial {
    const denial = { namespace, error };
    this.#told.set(`${kind} ${namespace}`, { kind, denial });
    return denial;
  }

  /** Forgets those of other namespaces. */
  keep(isKept: (namespace: string) => boolean): void {
    for (const [place, { denial }] of this.#told) if (!isKept(denial.namespace)) this.#told.delete(place);
  }

  /** Of one kind forgets those of other namespaces. */
  keepOf(kind: string, namespaces: ReadonlySet<string>): void {
    for (const [place, told] of this.#told) {
      if (told.kind === kind && !namespaces.has(told.denial.namespace)) this.#told.delete(place);
    }
  }
}

import type { WireError } from '../../contract/error.ts';
import type { Denial } from './feed-listener.ts';

interface Reported {
  readonly kind: string;
  readonly denial: Denial;
}

/** The forbidden kinds and namespaces, each once. */
export class Denials {
  /** By kind and namespace. */
  readonly #reported = new Map<string, Reported>();

  get list(): readonly Denial[] {
    return [...this.#reported.values()].map(({ denial }) => denial);
  }

  has(kind: string, namespace: string): boolean {
    return this.#reported.has(`${kind} ${namespace}`);
  }

  add(kind: string, namespace: string, error: WireError): Denial {
    const denial = { namespace, error };
    this.#reported.set(`${kind} ${namespace}`, { kind, denial });
    return denial;
  }

  /** Forgets the denials of other namespaces. */
  keep(isKept: (namespace: string) => boolean): void {
    for (const [scope, { denial }] of this.#reported)
      if (!isKept(denial.namespace)) this.#reported.delete(scope);
  }

  /** Forgets the denials of one kind in other namespaces. */
  keepOf(kind: string, namespaces: ReadonlySet<string>): void {
    for (const [scope, reported] of this.#reported) {
      if (reported.kind === kind && !namespaces.has(reported.denial.namespace)) this.#reported.delete(scope);
    }
  }
}

import type { WireError } from '../../contract/error.ts';
import type { Denial } from './feed-listener.ts';

interface Reported {
  readonly kind: string;
  readonly denial: Denial;
}

/** Which kinds are forbidden where, each once. */
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

  /** Forgets those of other namespaces. */
  keep(isKept: (namespace: string) => boolean): void {
    for (const [scope, { denial }] of this.#reported)
      if (!isKept(denial.namespace)) this.#reported.delete(scope);
  }

  /** Of one kind forgets those of other namespaces. */
  keepOf(kind: string, namespaces: ReadonlySet<string>): void {
    for (const [scope, reported] of this.#reported) {
      if (reported.kind === kind && !namespaces.has(reported.denial.namespace)) this.#reported.delete(scope);
    }
  }
}

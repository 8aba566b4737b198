import { inParallel } from '@logtool/kube/src/values/in-parallel.ts';
import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { FactSubject } from '../domain/facts/fact.ts';
import { EventReader, type EventScope, type FirstList, NODE_NAMESPACE } from './event-reader.ts';
import type { FactContext } from './fact-context.ts';

/**
 * For more namespaces than this, one list and watch of all reads their events, if the user has permission.
 */
const WIDE_ABOVE = 8;
/** Maximum concurrent first lists. */
const MAX_LISTS = 8;

/** Reads the events of all namespaces in view. */
export class EventReaders {
  readonly #context: FactContext;
  readonly #readers: EventReader[] = [];
  /** Namespaces that have a reader, or will have one. */
  readonly #covered = new Set<string>();
  #coversNodes = false;

  constructor(context: FactContext) {
    this.#context = context;
  }

  /**
   * Reads the events of namespaces that are new in view. Resolves when what exists now is read, or cannot be.
   */
  async start(): Promise<void> {
    const { scope } = this.#context;
    const fresh = [...scope.namespaces].filter((namespace) => !this.#covered.has(namespace));
    for (const namespace of fresh) this.#covered.add(namespace);
    await Promise.all([this.#startNodes(), this.#startAll(fresh)]);
  }

  /** More objects are in view. */
  async recheck(): Promise<void> {
    for (const reader of this.#readers) await reader.recheck();
  }

  /**
   * Returns the time from which every event in view was read, if permitted: that of the oldest event in the
   * cluster, or, for a namespace with more events than the limit, of the oldest kept one. Undefined if there
   * are none.
   */
  since(): Timestamp | undefined {
    const known = this.#readers.map((reader) => reader.since());
    const cut = known.flatMap((times) => times.cut).sort(compareTimestamps);
    return cut.at(-1) ?? known.flatMap(({ oldest }) => oldest).sort(compareTimestamps)[0];
  }

  /** Returns the workloads of which events report that they have no pods, and that are not in view (yet). */
  withoutPods(): readonly FactSubject[] {
    return this.#readers.flatMap((reader) => reader.withoutPods());
  }

  async #startNodes(): Promise<void> {
    const isCovered = this.#coversNodes || this.#covered.has(NODE_NAMESPACE);
    if (isCovered || this.#context.scope.nodes.size === 0) return;
    this.#coversNodes = true;
    await this.#open({ namespaces: [NODE_NAMESPACE], nodesOnly: true });
  }

  async #startAll(namespaces: readonly string[]): Promise<void> {
    if (namespaces.length > WIDE_ABOVE) {
      const first = await this.#open({ namespaces, isWide: true });
      if (first !== 'refused') return;
    }
    await inParallel(MAX_LISTS, namespaces, (namespace) => this.#open({ namespaces: [namespace] }));
  }

  /** Opens a reader; with follow, it continues after its first list. */
  #open(of: EventScope): Promise<FirstList> {
    const reader = new EventReader(this.#context, of);
    this.#readers.push(reader);
    return new Promise((resolve) => void reader.run(resolve));
  }
}

import type { ResourceType } from '@logtool/kube/src/client.ts';
import { isKubeError } from '@logtool/kube/src/errors.ts';
import { describeKubeError } from '@logtool/kube/src/failure/describe.ts';
import type { ResolveContext } from '../context.ts';
import { addTally, emptyTally, type Tally } from '../explain/tally.ts';
import type { SourceGroup } from '../sources/source-group.ts';
import { SourceTracker } from './source-tracker.ts';

interface Run {
  readonly abort: AbortController;
  readonly ended: Promise<void>;
}

/**
 * Runs one tracker in each of several namespaces, for one source. Leaves out a namespace that refuses, with a notice.
 */
export class NamespaceRuns {
  /** The sum of the first inspections of all namespaces. */
  readonly sum: Tally;
  /** Namespaces in which the first inspection found nothing of the source. */
  readonly empty: string[] = [];
  readonly refused: unknown[] = [];
  /** The error that ended them all. */
  fault: unknown;
  readonly #context: ResolveContext;
  readonly #group: SourceGroup;
  readonly #type: ResourceType;
  readonly #onOpen: (open: boolean) => void;
  readonly #failure = new AbortController();
  readonly #running = new Map<string, Run>();
  readonly #open = new Map<string, boolean>();

  constructor(
    context: ResolveContext,
    group: SourceGroup,
    type: ResourceType,
    onOpen: (open: boolean) => void = () => {},
  ) {
    this.#context = context;
    this.#group = group;
    this.#type = type;
    this.#onOpen = onOpen;
    this.sum = emptyTally(group.specs.length);
  }

  /** Aborts when the resolution ends or one of the trackers fails. */
  get signal(): AbortSignal {
    return AbortSignal.any([this.#context.signal, this.#failure.signal]);
  }

  get names(): readonly string[] {
    return [...this.#running.keys()];
  }

  has(namespace: string): boolean {
    return this.#running.has(namespace);
  }

  /** Resolves when what exists there now is known, or cannot be. */
  start(namespace: string): Promise<void> {
    const abort = new AbortController();
    const { signal } = this;
    let synced: () => void = () => {};
    const first = new Promise<void>((resolve) => {
      synced = resolve;
    });
    let endRead: () => void = () => {};
    const tracker = new SourceTracker(this.#context, {
      group: this.#group,
      type: this.#type,
      namespace,
      signal: AbortSignal.any([signal, abort.signal]),
      onOpen: (open) => {
        this.#open.set(namespace, open);
        this.#onOpen([...this.#open.values()].some(Boolean));
      },
      onSynced: async (tally) => {
        if (tally.roots === 0 && tally.pods === 0) this.empty.push(namespace);
        addTally(this.sum, tally);
        endRead();
        synced();
      },
    });
    const fetched = async () => {
      endRead = await this.#context.reads.begin();
      try {
        if (!abort.signal.aborted && !signal.aborted) await tracker.run();
      } finally {
        endRead();
      }
    };
    const run = fetched().catch((error: unknown) => {
      tracker.release();
      if (abort.signal.aborted || signal.aborted) return;
      this.#take(error, namespace);
    });
    this.#running.set(namespace, { abort, ended: run.then(synced, synced) });
    abort.signal.addEventListener('abort', () => tracker.release(), { once: true });
    return first;
  }

  stop(namespace: string): void {
    this.#running.get(namespace)?.abort.abort();
    this.#running.delete(namespace);
  }

  /** Throws the error that ended them all, or the refusal if each of this many namespaces refused. */
  check(count: number): void {
    if (this.fault !== undefined) throw this.fault;
    if (this.refused.length > 0 && this.refused.length === count) throw this.refused[0];
  }

  /** Resolves when all have ended. */
  async ended(): Promise<void> {
    await Promise.all([...this.#running.values()].map((run) => run.ended));
    if (this.fault !== undefined) throw this.fault;
  }

  #take(error: unknown, namespace: string): void {
    if (!isKubeError(error, 'forbidden')) {
      this.fault ??= error;
      this.#failure.abort();
      return;
    }
    this.refused.push(error);
    const cause = describeKubeError(error, this.#context.client.cluster);
    this.#context.notice({ code: 'namespace-forbidden', data: { namespace } }, { cause });
  }
}

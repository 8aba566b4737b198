import type { ResolveEvent } from '../../domain/resolve-event.ts';

/**
 * Queues events for one reader. A change of a container replaces an earlier event of it that still waits, so a reader
 * that pauses (a pager) finds the newest states and not their history.
 */
export class EventQueue {
  #waiting: ResolveEvent[] = [];
  #wake: (() => void) | undefined;
  #ended = false;

  push(event: ResolveEvent): void {
    if (event.type === 'changed') {
      const { id } = event.target;
      const index = this.#waiting.findLastIndex((other) => 'target' in other && other.target.id === id);
      const earlier = this.#waiting[index];
      if (earlier?.type === 'added' || earlier?.type === 'changed') {
        this.#waiting[index] = { type: earlier.type, target: event.target };
        return;
      }
    }
    this.#waiting.push(event);
    this.#wake?.();
  }

  /** Lets the reader end once it has read everything that waits. */
  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  async *read(): AsyncGenerator<ResolveEvent> {
    for (;;) {
      const batch = this.#waiting;
      this.#waiting = [];
      yield* batch;
      if (this.#waiting.length > 0) continue;
      if (this.#ended) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }
}

import { setMaxListeners } from 'node:events';
import type { ContainerTarget } from '../../domain/container.ts';
import type { Frame } from '../../domain/frame.ts';
import type { ResolveEvent } from '../../domain/resolve-event.ts';
import { failedNotice, ResolveFeed } from '../follow/resolve-feed.ts';
import type { EngineContext } from '../plan/engine.ts';
import type { ReadContext } from '../plan/read-context.ts';

/** The resources of one engine call, until it is closed. */
export class View {
  readonly reading: ReadContext;
  readonly feed: ResolveFeed;
  readonly #context: EngineContext;
  readonly #reports: Frame[] = [];
  readonly #abort = new AbortController();

  constructor(context: EngineContext, sources: AsyncIterable<ResolveEvent>) {
    this.#context = context;
    const { signal } = this.#abort;
    // Each connection and each wait listens to the signal.
    setMaxListeners(0, signal);
    if (context.signal.aborted) this.#onAbort();
    else context.signal.addEventListener('abort', this.#onAbort, { once: true });
    this.reading = {
      client: context.client,
      clock: context.clock,
      signal,
      person: context.person,
      backend: context.backend,
      report: (frame) => this.#reports.push(frame),
      takeReports: () => this.takeReports(),
      resolvedAtMs: context.clock.now(),
      random: Math.random,
    };
    this.feed = new ResolveFeed(sources);
  }

  readonly #onAbort = (): void => this.#abort.abort(this.#context.signal.reason);

  /** Returns what was reported since the last call. */
  takeReports(): readonly Frame[] {
    return this.#reports.splice(0);
  }

  /** Adds the containers that exist now to `targets`. */
  async *gather(targets: ContainerTarget[]): AsyncGenerator<Frame, void, undefined> {
    const byId = new Map<string, ContainerTarget>();
    for (;;) {
      const event = await this.feed.next();
      if (event === undefined) break;
      if (event.type === 'added' || event.type === 'changed') byId.set(event.target.id, event.target);
      else if (event.type === 'gone') byId.delete(event.target.id);
      else if (event.type === 'notice') yield event;
      else if (event.type === 'failed') yield failedNotice(event);
      else {
        event.type satisfies 'closing' | 'synced';
        break;
      }
    }
    targets.push(...byId.values());
  }

  close(): void {
    this.#context.signal.removeEventListener('abort', this.#onAbort);
    this.#abort.abort(new Error('the view was closed'));
    this.feed.close();
  }
}

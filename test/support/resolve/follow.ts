import type { KubeClient } from '@logtool/kube/src/client.ts';
import type { ResolveEvent } from '@logtool/logtool/src/domain/resolve-event.ts';
import type { SourcePlan } from '@logtool/logtool/src/resolve/resolve.ts';
import { resolveSources } from '@logtool/logtool/src/resolve/resolve-sources.ts';

export function planOf(sources: readonly string[], more: Partial<SourcePlan> = {}): SourcePlan {
  return {
    sources,
    allContainers: false,
    nodes: [],
    regions: [],
    zones: [],
    os: [],
    arch: [],
    ...more,
  };
}

/** Formats an event as one line: `added shop/web-0/app`, `synced open`, `failed not-found`, `notice polling`. */
export function line(event: ResolveEvent): string {
  switch (event.type) {
    case 'added':
    case 'changed':
    case 'gone':
      return `${event.type} ${event.target.namespace}/${event.target.pod}/${event.target.container}`;
    case 'synced':
    case 'closing':
      return `${event.type} ${event.open ? 'open' : 'closed'}`;
    case 'notice':
      return `notice ${event.code}`;
    case 'failed':
      return `failed ${event.error.code}`;
  }
}

/** Returns all events of a resolution that does not follow. */
export async function resolveOnce(client: KubeClient, plan: SourcePlan): Promise<readonly ResolveEvent[]> {
  const events: ResolveEvent[] = [];
  const { signal } = new AbortController();
  for await (const event of resolveSources(client, plan, { follow: false, signal })) events.push(event);
  return events;
}

/** A resolution that follows, read event by event. */
export class Following {
  readonly #abort = new AbortController();
  readonly #events: AsyncIterator<ResolveEvent>;

  constructor(client: KubeClient, plan: SourcePlan) {
    const options = { follow: true, signal: this.#abort.signal };
    this.#events = resolveSources(client, plan, options)[Symbol.asyncIterator]();
  }

  async next(): Promise<ResolveEvent | undefined> {
    const { value, done } = await this.#events.next();
    return done === true ? undefined : value;
  }

  async line(): Promise<string> {
    const event = await this.next();
    return event === undefined ? 'end' : line(event);
  }

  async lines(count: number): Promise<readonly string[]> {
    const lines: string[] = [];
    while (lines.length < count) lines.push(await this.line());
    return lines;
  }

  /** Ends it and returns what was still unread. */
  async end(): Promise<readonly string[]> {
    this.#abort.abort();
    const rest: string[] = [];
    for (let next = await this.line(); next !== 'end'; next = await this.line()) rest.push(next);
    return rest;
  }
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { PODS } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeClient, KubeObject, ReflectorEvent } from '@logtool/kube/src/client.ts';
import type { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { type Handler, sendJson, sendStatus } from './scripted-server.ts';

type Query = Parameters<KubeClient['reflect']>[1];

export const pod = (name: string, resourceVersion = '1') => ({
  metadata: { name, namespace: 'shop', uid: `uid-${name}`, resourceVersion },
});
export const list = (resourceVersion: string, ...objects: unknown[]) => ({
  metadata: { resourceVersion },
  items: objects,
});
export const event = (type: string, object: unknown) => `${JSON.stringify({ type, object })}\n`;
export const expired = event('ERROR', { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' });

/** What a reflector yields, one line per event, pulled by the test. */
export class Observer {
  readonly #events: AsyncIterator<ReflectorEvent<KubeObject>>;
  readonly #controller = new AbortController();
  readonly #clock: FakeClock;

  constructor(client: KubeClient, clock: FakeClock, query: Query = { namespace: 'shop' }) {
    const { signal } = this.#controller;
    this.#events = client.reflect(PODS, query, { signal })[Symbol.asyncIterator]();
    this.#clock = clock;
  }

  /** Returns the next event; advances time while waiting for it. */
  async next(stepMs = 100): Promise<string> {
    let settled = false;
    const next = this.#events.next().finally(() => {
      settled = true;
    });
    next.catch(() => {
      // The await below throws it.
    });
    for (let turns = 0; !settled; turns++) {
      await new Promise((resolve) => setImmediate(resolve));
      if (turns % 10 === 9 && this.#clock.pending > 0) await this.#clock.advance(stepMs);
    }
    const result = await next;
    return result.done ? 'end' : describe(result.value);
  }

  async take(count: number): Promise<string[]> {
    const events: string[] = [];
    while (events.length < count) events.push(await this.next());
    return events;
  }

  /** Ends it; resolves with its last output. */
  stop(): Promise<string> {
    this.#controller.abort(new Error('enough'));
    return this.next();
  }
}

function describe(received: ReflectorEvent<KubeObject>): string {
  switch (received.type) {
    case 'snapshot':
      return `snapshot ${received.objects.map((object) => object.metadata.name).join(',')}`.trim();
    case 'state':
      return received.error === undefined ? received.state : `${received.state} ${received.error.kind}`;
    default:
      return `${received.type} ${received.object.metadata.name}@${received.object.metadata.resourceVersion}`;
  }
}

/** Answers lists and watches from two queues; the last answer of each is repeated. */
export function script(lists: readonly Handler[], watches: readonly Handler[]): Handler {
  let listed = 0;
  let watched = 0;
  return (request: IncomingMessage, response: ServerResponse) => {
    const isWatch = request.url?.includes('watch=true');
    const queue = isWatch ? watches : lists;
    const index = isWatch ? watched++ : listed++;
    queue[Math.min(index, queue.length - 1)]?.(request, response);
  };
}

export const listing =
  (resourceVersion: string, ...objects: unknown[]): Handler =>
  (_, response) =>
    sendJson(response, 200, list(resourceVersion, ...objects));
export const refusing =
  (code: number, message = 'no'): Handler =>
  (_, response) =>
    sendStatus(response, code, { message });
export const sending =
  (...lines: string[]): Handler =>
  (_, response) =>
    response.end(lines.join(''));
export const open =
  (...lines: string[]): Handler =>
  (_, response) => {
    response.flushHeaders();
    if (lines.length > 0) response.write(lines.join(''));
  };
export const cut =
  (...lines: string[]): Handler =>
  (_, response) =>
    response.write(`${lines.join('')}{"type":`, () => response.socket?.destroy());

export const versions = (requests: readonly string[]) =>
  requests.map(
    (request) => new URL(request.slice(4), 'https://x').searchParams.get('resourceVersion') ?? 'list',
  );

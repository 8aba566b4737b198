import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { REQUEST_STARTED } from '@logtool/simcluster/src/api/http/server.ts';

/** Counts the logs that the simulated clusters of this process serve at once. */
export class OpenLogs {
  readonly #open = new Map<ServerResponse, IncomingMessage>();
  /** The maximum at once since the start, or since `reset`. */
  most = 0;
  readonly #onStart = (message: unknown) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    if (!/\/log\?/.test(request.url ?? '')) return;
    this.#open.set(response, request);
    this.most = Math.max(this.most, this.#count());
  };

  constructor() {
    subscribe(REQUEST_STARTED, this.#onStart);
  }

  reset(): void {
    this.most = this.#count();
  }

  /**
   * Counts by the current state of each answer, not by its events: under load a client may see the end of
   * one, and request the next log, before the events of that end arrive. Over HTTP/2, a client that leaves
   * reports this at once.
   */
  #count(): number {
    for (const [response, request] of this.#open)
      if (response.writableEnded || response.destroyed || request.destroyed || request.aborted)
        this.#open.delete(response);
    return this.#open.size;
  }

  close(): void {
    unsubscribe(REQUEST_STARTED, this.#onStart);
  }
}

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { REQUEST_STARTED } from '@logtool/simcluster/src/api/http/server.ts';

/** Counts the logs that the simulated clusters of this process answer at once. */
export class OpenLogs {
  readonly #open = new Map<ServerResponse, IncomingMessage>();
  /** The most at once since the start, or since `reset`. */
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
   * Judged by what each answer is at this moment, not by its events: under load a client has the end of one, and asks for
   * the next log, before the events of that end are reported. Over HTTP/2 a client that leaves reports that at once.
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

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';

const STARTED = 'http.server.request.start';

/** Counts the logs that the servers of this process answer at once. */
export class OpenLogs {
  #open = 0;
  /** The most at once since the start, or since `reset`. */
  most = 0;
  readonly #onStart = (message: unknown) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    if (!/\/log\?/.test(request.url ?? '')) return;
    this.#open++;
    this.most = Math.max(this.most, this.#open);
    response.once('close', () => this.#open--);
  };

  constructor() {
    subscribe(STARTED, this.#onStart);
  }

  reset(): void {
    this.most = this.#open;
  }

  close(): void {
    unsubscribe(STARTED, this.#onStart);
  }
}

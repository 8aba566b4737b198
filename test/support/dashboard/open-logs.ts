import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { REQUEST_STARTED } from '@logtool/simcluster/src/api/http/server.ts';

/** Counts the logs that the simulated clusters of this process answer at once. */
export class OpenLogs {
  #open = 0;
  /** The most at once since the start, or since `reset`. */
  most = 0;
  readonly #onStart = (message: unknown) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    if (!/\/log\?/.test(request.url ?? '')) return;
    this.#open++;
    this.most = Math.max(this.most, this.#open);
    // Over HTTP/2 a client that leaves reports that at once, before its next request; the answer closes
    // later.
    let isOpen = true;
    const onOver = () => {
      if (isOpen) this.#open--;
      isOpen = false;
    };
    request.once('aborted', onOver);
    // Under load its client has the end, and asks for the next log, before an answer that was sent closes.
    response.once('finish', onOver);
    response.once('close', onOver);
  };

  constructor() {
    subscribe(REQUEST_STARTED, this.#onStart);
  }

  reset(): void {
    this.most = this.#open;
  }

  close(): void {
    unsubscribe(REQUEST_STARTED, this.#onStart);
  }
}

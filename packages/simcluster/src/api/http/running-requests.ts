/** A running request; a fault can affect it while its response streams. */
export interface RunningRequest {
  /** `METHOD path?query` */
  readonly line: string;
  readonly kind: 'watch' | 'log' | 'other';
  /** Makes a watch send 410 and end. */
  expire(): void;
  /** Cuts the connection after the written part. */
  drop(): void;
  /** Ends the body in order, as if it were complete. */
  end(): void;
}

/** All running requests. */
export class RunningRequests {
  readonly #running = new Set<RunningRequest>();

  /** Adds a request; its `drop` and `end` remove it at once, although its exchange may notice a moment later. */
  add(request: RunningRequest): RunningRequest {
    const running: RunningRequest = {
      ...request,
      drop: () => {
        this.remove(running);
        request.drop();
      },
      end: () => {
        this.remove(running);
        request.end();
      },
    };
    this.#running.add(running);
    return running;
  }

  /** Stops the matching requests, and returns their number. */
  stop(kind: RunningRequest['kind'], how: 'drop' | 'end', match: string | undefined): number {
    const stopped = this.matching(kind, match);
    for (const request of stopped) request[how]();
    return stopped.length;
  }

  remove(request: RunningRequest): void {
    this.#running.delete(request);
  }

  /** Returns the requests of a kind whose line matches the regular expression; without one, all of the kind. */
  matching(kind: RunningRequest['kind'], match: string | undefined): readonly RunningRequest[] {
    const pattern = match === undefined ? undefined : new RegExp(match);
    return [...this.#running].filter((one) => one.kind === kind && pattern?.test(one.line) !== false);
  }
}

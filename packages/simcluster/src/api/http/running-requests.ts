/** A request that is being answered; a fault can hit it while its answer streams. */
export interface RunningRequest {
  /** `METHOD path?query` */
  readonly line: string;
  readonly kind: 'watch' | 'log' | 'other';
  /** A watch answers 410 and ends. */
  expire(): void;
  /** Cuts the connection after the written part. */
  drop(): void;
  /** Ends the body in order, as if it were complete. */
  end(): void;
}

/** The requests that are being answered at this moment. */
export class RunningRequests {
  readonly #running = new Set<RunningRequest>();

  /** Adds a request; its `drop` and `end` remove it at once, although its exchange may take a moment more to notice. */
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

  /** Ends those that match, and returns how many. */
  stop(kind: RunningRequest['kind'], how: 'drop' | 'end', match: string | undefined): number {
    const stopped = this.matching(kind, match);
    for (const request of stopped) request[how]();
    return stopped.length;
  }

  remove(request: RunningRequest): void {
    this.#running.delete(request);
  }

  /** Those of a kind whose line matches the regular expression; all of the kind without one. */
  matching(kind: RunningRequest['kind'], match: string | undefined): readonly RunningRequest[] {
    const pattern = match === undefined ? undefined : new RegExp(match);
    return [...this.#running].filter((one) => one.kind === kind && pattern?.test(one.line) !== false);
  }
}

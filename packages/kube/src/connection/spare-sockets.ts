import type { Socket } from 'node:net';
import type { Clock } from '../values/clock.ts';

/** A connection that takes longer than this to open leads far. */
export const FAR_MS = 20;
/** Requests that come later than this were not those that the connections were opened for. */
const MAX_IDLE_MS = 5_000;

/**
 * Opens connections before they are asked for. Over a distance each takes two or three times as long as a request, and
 * requests that are made at once need as many: opened beside the first one they are ready in time. Near the server
 * there is nothing to gain, so they are opened only while the first one is waited for.
 */
export class SpareSockets {
  readonly #clock: Clock;
  readonly #open: () => Promise<Socket>;
  #wanted = 0;
  #begun: Promise<Socket>[] = [];
  #spares: Promise<Socket | undefined>[] = [];
  #cancel = () => {};
  #cancelBegun = () => {};

  constructor(clock: Clock, open: () => Promise<Socket>) {
    this.#clock = clock;
    this.#open = open;
  }

  /** Opens that many connections now: the next `take` calls return them, or reject as they did. */
  preconnect(count: number): void {
    for (let index = 0; index < count; index++) {
      const socket = this.#first();
      // Errors have no listener until the socket is taken.
      socket.then((opened) => opened.on('error', ignored), ignored);
      this.#begun.push(socket);
    }
    this.#cancelBegun = this.#clock.after(MAX_IDLE_MS, () => this.#closeBegun());
  }

  /** Announces that this many simultaneous requests follow the next connection, or the one being opened. */
  want(count: number): void {
    this.#wanted = count;
    const [begun] = this.#begun;
    if (begun !== undefined) this.#openBeside(begun);
  }

  /** A connection, opened before or now. Rejects as `open` does. */
  async take(): Promise<Socket> {
    for (let begun = this.#begun.shift(); begun !== undefined; begun = this.#begun.shift()) {
      if (this.#begun.length === 0) this.#cancelBegun();
      const socket = await begun;
      if (!socket.destroyed) return socket;
    }
    for (let spare = this.#spares.shift(); spare !== undefined; spare = this.#spares.shift()) {
      const socket = await spare;
      if (socket?.destroyed === false) return socket;
    }
    return this.#first();
  }

  /** Opens a connection, and beside it those that are wanted. */
  #first(): Promise<Socket> {
    const first = this.#open();
    if (this.#wanted > 0) this.#openBeside(first);
    return first;
  }

  #openBeside(first: Promise<Socket>): void {
    const count = this.#wanted;
    this.#wanted = 0;
    this.#cancel = this.#clock.after(FAR_MS, () => this.#prepare(count));
    const stop = () => {
      if (this.#spares.length === 0) this.#cancel();
    };
    first.then(stop, stop);
  }

  close(): void {
    this.#cancel();
    this.#closeBegun();
    for (const spare of this.#spares.splice(0)) void spare.then((socket) => socket?.destroy());
  }

  #closeBegun(): void {
    this.#cancelBegun();
    for (const socket of this.#begun.splice(0)) socket.then((opened) => opened.destroy(), ignored);
  }

  #prepare(count: number): void {
    for (let index = 0; index < count; index++)
      this.#spares.push(
        this.#open().then(
          // It has no other listener while it waits to be used.
          (socket) => socket.on('error', ignored),
          // The caller that needs it opens another, and gets the error.
          ignored,
        ),
      );
    this.#cancel = this.#clock.after(MAX_IDLE_MS, () => this.close());
  }
}

const ignored = () => undefined;

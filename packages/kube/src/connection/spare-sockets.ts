import type { Socket } from 'node:net';
import type { Clock } from '../values/clock.ts';

/** If a connection takes longer than this to open, the server is far away. */
export const FAR_MS = 20;
/** Closes spare connections after this time: later requests are not the announced ones. */
const MAX_IDLE_MS = 5_000;

/**
 * Opens connections before requests need them. To a far server, each takes two or three times as long as a request, and
 * simultaneous requests need one each: opened beside the first connection, they are ready in time. Near the server this
 * saves nothing, so they open only if the first connection takes longer than FAR_MS.
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

  /** Opens `count` connections now; the next `take` calls return them, or reject if they failed. */
  preconnect(count: number): void {
    for (let index = 0; index < count; index++) {
      const socket = this.#first();
      // The socket has no error listener until a request takes it.
      socket.then((opened) => opened.on('error', ignored), ignored);
      this.#begun.push(socket);
    }
    this.#cancelBegun = this.#clock.after(MAX_IDLE_MS, () => this.#closeBegun());
  }

  /** Announces that `count` simultaneous requests follow the next connection, or the one being opened. */
  want(count: number): void {
    this.#wanted = count;
    const [begun] = this.#begun;
    if (begun !== undefined) this.#openBeside(begun);
  }

  /** Returns a connection, already open or opened now. Rejects as `open` does. */
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

  /** Opens a connection, and the announced ones beside it. */
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
          // The spare socket has no other error listener.
          (socket) => socket.on('error', ignored),
          // The caller that needs the connection opens another, and gets that error.
          ignored,
        ),
      );
    this.#cancel = this.#clock.after(MAX_IDLE_MS, () => this.close());
  }
}

const ignored = () => undefined;

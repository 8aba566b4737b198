/**
 * Goes on after messages that wait were taken: a macrotask. Timers would do the same but wait four milliseconds after
 * a few times (HTML, 8.6); a port is closed when nothing is left to do.
 */
export class Turns {
  #channel: MessageChannel | undefined;

  next(work: () => void): void {
    this.#channel ??= new MessageChannel();
    this.#channel.port1.onmessage = work;
    this.#channel.port2.postMessage(undefined);
  }

  close(): void {
    this.#channel?.port1.close();
    this.#channel = undefined;
  }
}

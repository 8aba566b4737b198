/** Reads the frames of an NDJSON answer one by one. */
export class Frames<F extends { readonly type: string }> {
  /** All frames read so far. */
  readonly seen: F[] = [];
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #waiting: F[] = [];
  readonly #decoder = new TextDecoder();
  #rest = '';

  constructor(response: Response) {
    if (response.body === null) throw new Error('the answer has no body');
    this.#reader = response.body.getReader();
  }

  /** Returns the next frame; undefined at the end. */
  async next(): Promise<F | undefined> {
    while (this.#waiting.length === 0) {
      const { done, value } = await this.#reader.read();
      if (done) {
        if (this.#rest !== '') throw new Error('the answer ends inside a line');
        return undefined;
      }
      const lines = (this.#rest + this.#decoder.decode(value, { stream: true })).split('\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) this.#waiting.push(JSON.parse(line) as F);
    }
    const frame = this.#waiting.shift();
    if (frame !== undefined) this.seen.push(frame);
    return frame;
  }

  /** Reads until a frame is of that kind; throws at the end. */
  async until<T extends F['type']>(
    type: T,
    isIt: (frame: Extract<F, { readonly type: T }>) => boolean = () => true,
  ): Promise<Extract<F, { readonly type: T }>> {
    for (;;) {
      const frame = await this.next();
      if (frame === undefined) throw new Error(`the answer ended without ${type}`);
      const found = frame as Extract<F, { readonly type: T }>;
      if (frame.type === type && isIt(found)) return found;
    }
  }

  async rest(): Promise<readonly F[]> {
    while ((await this.next()) !== undefined);
    return this.seen;
  }

  /** Closes the tab. */
  close(): Promise<void> {
    return this.#reader.cancel();
  }
}

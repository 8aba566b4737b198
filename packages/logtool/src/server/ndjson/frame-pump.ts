import { setMaxListeners } from 'node:events';
import type { FrameSource } from './frame-source.ts';
import { line } from './ndjson-answer.ts';

/** Maximum bytes that wait for the reader; above it the pump requests no further frame. */
const WAITING_BYTES = 256 * 1024;

/** Turns the frames of an iterable into a source of lines, at the reader's speed. */
export class FramePump implements FrameSource {
  readonly #pieces: Uint8Array[] = [];
  #waitingBytes = 0;
  readonly #abort = new AbortController();
  readonly #wake: () => void;
  #isOver = false;
  #room: (() => void) | undefined;

  /**
   * @param frames - reports its own failures as frames; its signal is aborted when nobody reads any more
   * @param wake - called when something is due
   */
  constructor(frames: (signal: AbortSignal) => AsyncIterable<object>, wake: () => void) {
    this.#wake = wake;
    setMaxListeners(0, this.#abort.signal);
    void this.#run(frames);
  }

  get ended(): boolean {
    return this.#isOver && this.#pieces.length === 0;
  }

  take(): Uint8Array | undefined {
    const piece = this.#pieces.shift();
    if (piece === undefined) return undefined;
    this.#waitingBytes -= piece.length;
    if (this.#waitingBytes < WAITING_BYTES) this.#room?.();
    return piece;
  }

  close(): void {
    this.#abort.abort(new Error('the view was closed'));
    this.#room?.();
  }

  async #run(frames: (signal: AbortSignal) => AsyncIterable<object>): Promise<void> {
    const { signal } = this.#abort;
    for await (const frame of frames(signal)) {
      if (signal.aborted) break;
      const piece = line(frame);
      this.#pieces.push(piece);
      this.#waitingBytes += piece.length;
      this.#wake();
      await this.#waitForRoom();
      if (signal.aborted) break;
    }
    this.#isOver = true;
    this.#wake();
  }

  async #waitForRoom(): Promise<void> {
    while (this.#waitingBytes >= WAITING_BYTES && !this.#abort.signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#room = resolve;
      });
      this.#room = undefined;
    }
  }
}

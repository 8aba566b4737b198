/** A source of frames, read at the reader's speed. */
export interface FrameSource {
  /** Returns whole lines that are due, a few tens of KB at most; undefined if none are. */
  take(): Uint8Array | undefined;
  /** No further lines will come. */
  readonly ended: boolean;
  /** Called when nobody reads any more. */
  close(): void;
}

/** Something that has frames to say, drawn upon as fast as its reader reads. */
export interface FrameSource {
  /** Whole lines that are due, a few tens of KB at most; undefined when none are. */
  take(): Uint8Array | undefined;
  /** Nothing will be due any more. */
  readonly ended: boolean;
  /** Nobody reads any more. */
  close(): void;
}

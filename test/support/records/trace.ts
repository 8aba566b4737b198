/** A record of several lines as a real runtime writes it, with the expected summary when it is folded. */
export interface Trace {
  readonly name: string;
  readonly lines: readonly string[];
  readonly frames: number;
  /** A part of the lines, without the surrounding blanks. */
  readonly cause: string | undefined;
  readonly ownFrame: string | undefined;
  readonly level: string | undefined;
}

/** Describes a record: its text begins and ends with a line break. */
export function trace(
  name: string,
  text: string,
  [frames, cause, ownFrame, level = 'error']: readonly [
    frames: number,
    cause: string | undefined,
    ownFrame: string | undefined,
    level?: string,
  ],
): Trace {
  return { name, lines: text.split('\n').slice(1, -1), frames, cause, ownFrame, level };
}

import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { OutputStream } from '../context.ts';

export interface PromptOutput {
  /** What the prompt writes to. */
  readonly stream: Writable;
  /** Ends it. Resolves when all that the prompt wrote is on the terminal. */
  end(): Promise<void>;
}

/** An OutputStream as the stream that the prompt writes to, as wide as `columns` says: the prompt breaks what is longer. */
export function promptOutput(
  to: OutputStream,
  screen: { readonly columns: () => number | undefined; readonly rows: number | undefined },
): PromptOutput {
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, _encoding, done) => {
      to.write(chunk).then(() => done(), done);
    },
  });
  Object.defineProperties(stream, {
    columns: { get: screen.columns },
    rows: { value: screen.rows },
  });
  return {
    stream,
    end: () => {
      stream.end();
      return finished(stream);
    },
  };
}

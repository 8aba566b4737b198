import { Writable } from 'node:stream';
import type { OutputStream } from '../context.ts';

/** An OutputStream as the stream that the prompt writes to. */
export function promptOutput(stream: OutputStream, rows: number | undefined): Writable {
  const output = new Writable({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, _encoding, done) => {
      stream.write(chunk).then(() => done(), done);
    },
  });
  return Object.defineProperties(output, {
    columns: { get: () => stream.columns },
    rows: { value: rows },
  });
}

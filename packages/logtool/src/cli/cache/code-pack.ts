/** A module of the program: its text (ASCII), and the code V8 compiled from it in an earlier run. */
export interface PackedModule {
  readonly text: Buffer;
  readonly code: Buffer;
}

/** The modules that a command loads, by name. */
export type CodePack = ReadonlyMap<string, PackedModule>;

const LENGTH_BYTES = 4;
type Entry = readonly [name: string, textBytes: number, codeBytes: number];

/**
 * Encodes a pack as one block of bytes: the length of a directory, the directory as JSON, then texts and
 * codes in its order.
 */
export function encodePack(pack: CodePack): Buffer {
  const entries: Entry[] = [...pack].map(([name, { text, code }]) => [name, text.length, code.length]);
  const directory = Buffer.from(JSON.stringify(entries));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(directory.length);
  return Buffer.concat([length, directory, ...[...pack.values()].flatMap(({ text, code }) => [text, code])]);
}

/** @throws if the bytes are not a pack */
export function decodePack(bytes: Buffer): CodePack {
  const directoryEnd = LENGTH_BYTES + bytes.readUInt32LE(0);
  const entries = JSON.parse(bytes.toString('utf8', LENGTH_BYTES, directoryEnd)) as readonly Entry[];
  const pack = new Map<string, PackedModule>();
  let at = directoryEnd;
  for (const [name, textBytes, codeBytes] of entries) {
    const codeAt = at + textBytes;
    pack.set(name, { text: bytes.subarray(at, codeAt), code: bytes.subarray(codeAt, codeAt + codeBytes) });
    at = codeAt + codeBytes;
  }
  return pack;
}

/**
 * Reads all of standard input.
 * @throws Error if it is longer than `limitBytes`
 */
export async function readStandardInput(limitBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of process.stdin) {
    length += (chunk as Buffer).length;
    if (length > limitBytes) throw new Error(`it is larger than ${limitBytes / 1024 / 1024} MiB`);
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

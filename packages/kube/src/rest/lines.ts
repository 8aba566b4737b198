import { KubeError, type RequestSubject } from '../errors.ts';

/**
 * Splits a stream at newlines, whatever its chunks; a character that spans chunks stays whole. Yields the last line
 * even without a newline. Skips empty lines. Throws a KubeError of kind `protocol` if a line is longer than
 * `limitBytes`.
 */
export async function* splitLines(
  body: AsyncIterable<Uint8Array>,
  limitBytes: number,
  request: RequestSubject,
): AsyncGenerator<Buffer> {
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  const keep = (bytes: Uint8Array) => {
    pendingBytes += bytes.length;
    if (pendingBytes > limitBytes) {
      throw new KubeError({
        kind: 'protocol',
        problem: { code: 'line-too-long', data: { limitBytes } },
        request,
      });
    }
    pending.push(bytes);
  };
  const take = () => {
    const line = Buffer.concat(pending, pendingBytes);
    pending = [];
    pendingBytes = 0;
    return line;
  };
  for await (const chunk of body) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      keep(chunk.subarray(start, end));
      start = end + 1;
      if (pendingBytes > 0) yield take();
    }
    if (start < chunk.length) keep(chunk.subarray(start));
  }
  if (pendingBytes > 0) yield take();
}

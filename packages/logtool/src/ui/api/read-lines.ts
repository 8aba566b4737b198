/** A longer line is not a valid frame: reading stops before it fills the memory. */
const MAX_LINE_CHARS = 64 * 1024 * 1024;

/**
 * Yields the values of an NDJSON body; values that arrive together are in one array. A final line without a
 * newline was cut by the end of the connection and is dropped. Throws SyntaxError if a line is not JSON.
 */
export async function* readLines(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<unknown[], void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest: string[] = [];
  let restChars = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const text = decoder.decode(value, { stream: true });
      const end = text.lastIndexOf('\n');
      if (end === -1) {
        rest.push(text);
        restChars += text.length;
        if (restChars > MAX_LINE_CHARS) throw new SyntaxError('a line of the stream has no end');
        continue;
      }
      const whole = rest.join('') + text.slice(0, end);
      rest = [text.slice(end + 1)];
      restChars = text.length - end - 1;
      const values = parseLines(whole);
      if (values.length > 0) yield values;
    }
  } finally {
    // If the caller leaves the loop early, the request must end, or the server keeps sending.
    await reader.cancel().catch(() => undefined);
  }
}

function parseLines(text: string): unknown[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));
}

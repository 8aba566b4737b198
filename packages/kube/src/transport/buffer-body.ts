import { KubeError, type RequestSubject } from '../errors.ts';

export interface BodyOptions {
  readonly encoding: string | undefined;
  /** After decompression. */
  readonly limitBytes: number;
  readonly request: RequestSubject | undefined;
}

/**
 * Reads a whole body into memory, at most `limitBytes` after decompression. Throws a KubeError of kind `protocol` if it
 * is larger or does not match its Content-Encoding.
 */
export function bufferBody(body: AsyncIterable<Uint8Array>, options: BodyOptions): Promise<Buffer> {
  return bufferChunks(plainBody(body, options));
}

export async function bufferChunks(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Yields the chunks of a body, decompressed; throws as `bufferBody` does. */
export async function* plainBody(
  body: AsyncIterable<Uint8Array>,
  options: BodyOptions,
): AsyncGenerator<Uint8Array> {
  const { limitBytes, request } = options;
  const encoding = (options.encoding ?? 'identity').trim().toLowerCase();
  let plain: AsyncIterable<Uint8Array>;
  if (encoding === 'identity' || encoding === '') plain = body;
  else if (encoding === 'gzip' || encoding === 'x-gzip') plain = gunzip(body, request);
  else
    throw new KubeError({
      kind: 'protocol',
      problem: { code: 'unknown-encoding', data: { encoding } },
      request,
    });
  let size = 0;
  for await (const chunk of plain) {
    size += chunk.length;
    if (size > limitBytes) {
      throw new KubeError({
        kind: 'protocol',
        problem: { code: 'answer-too-large', data: { limitBytes } },
        request,
      });
    }
    yield chunk;
  }
}

/** Decompresses chunk by chunk, so that a small response cannot expand beyond the limit before the check. */
async function* gunzip(
  body: AsyncIterable<Uint8Array>,
  request: RequestSubject | undefined,
): AsyncGenerator<Uint8Array> {
  const [{ createGunzip }, { Readable }] = await Promise.all([import('node:zlib'), import('node:stream')]);
  const source = Readable.from(body, { objectMode: false });
  const unzipped = createGunzip();
  let broken: unknown;
  source.on('error', (error) => {
    broken = error;
    unzipped.destroy(error);
  });
  source.pipe(unzipped);
  try {
    for await (const chunk of unzipped) yield chunk as Uint8Array;
  } catch (error) {
    if (broken !== undefined) throw broken;
    const why = error instanceof Error ? error.message : String(error);
    throw new KubeError({
      kind: 'protocol',
      problem: { code: 'bad-compression', data: { why } },
      request,
      cause: error,
    });
  } finally {
    source.destroy();
    unzipped.destroy();
  }
}

import { KubeError, type RequestSubject } from '../errors.ts';

/**
 * The whole of a body that must fit into memory, at most `limitBytes` of it after decompression.
 * Throws a KubeError of kind `protocol` when it is larger or is not what its Content-Encoding says.
 */
export async function bufferBody(
  body: AsyncIterable<Uint8Array>,
  options: {
    readonly encoding: string | undefined;
    readonly limitBytes: number;
    readonly request: RequestSubject | undefined;
  },
): Promise<Buffer> {
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
  const chunks: Uint8Array[] = [];
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
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/** Decompresses as it arrives, so that a small answer cannot grow beyond the limit unseen. */
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

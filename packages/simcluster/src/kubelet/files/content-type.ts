import { open } from 'node:fs/promises';
import { basename } from 'node:path';

const PLAIN = 'text/plain; charset=utf-8';

/** The types from a node's MIME table that matter here (test/recorded/nodes). */
const BY_EXTENSION: Readonly<Record<string, string>> = {
  '.log': 'text/x-log; charset=utf-8',
  '.gz': 'application/gzip',
  '.html': 'text/html; charset=utf-8',
  '.txt': PLAIN,
};

/** How many bytes decide the type if the name does not. */
const SNIFFED_BYTES = 512;

/**
 * Returns the type of a file by its name, else by its first bytes (Go's http.DetectContentType, only for logs and their
 * archives).
 */
export async function contentTypeOf(file: string): Promise<string> {
  const name = basename(file);
  const dot = name.lastIndexOf('.');
  return (dot === -1 ? undefined : BY_EXTENSION[name.slice(dot)]) ?? typeOfBytes(await beginOf(file));
}

async function beginOf(file: string): Promise<Uint8Array> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SNIFFED_BYTES), 0, SNIFFED_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

function typeOfBytes(begin: Uint8Array): string {
  if (begin[0] === 0x1f && begin[1] === 0x8b && begin[2] === 0x08) return 'application/x-gzip';
  if (/^\s*<(!doctype html|html|head|body|script|!--)[\s>]/i.test(Buffer.from(begin).toString('latin1')))
    return 'text/html; charset=utf-8';
  return begin.some(isBinary) ? 'application/octet-stream' : PLAIN;
}

/**
 * Whether a byte is a control character that text does not contain
 * (https://mimesniff.spec.whatwg.org/#binary-data-byte).
 */
function isBinary(byte: number): boolean {
  return byte <= 0x08 || byte === 0x0b || (byte >= 0x0e && byte <= 0x1a) || (byte >= 0x1c && byte <= 0x1f);
}

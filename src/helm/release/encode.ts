import { gunzipSync, gzipSync } from 'node:zlib';
import type { Release } from './release.ts';
import { MalformedRelease, releaseFromJson } from './release-from-json.ts';
import { releaseToJson } from './release-json.ts';

/** What a release may take up once unpacked: far more than any Secret of 1 MiB holds honestly. */
const LIMIT_BYTES = 64 * 1024 * 1024;

/** A release as the field `release` of its storage object: base64 of gzip of JSON. */
export function encodeRelease(release: Release): string {
  return gzipSync(releaseToJson(release), { level: 9 }).toString('base64');
}

/**
 * The reverse. Text that is not compressed is read too, as Helm does for releases of its first days.
 * @throws MalformedRelease
 */
export function decodeRelease(text: string, labels: Readonly<Record<string, string>> = {}): Release {
  const bytes = Buffer.from(text, 'base64');
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return releaseFromJson(bytes.toString('utf8'), labels);
  let json: Buffer;
  try {
    json = gunzipSync(bytes, { maxOutputLength: LIMIT_BYTES });
  } catch (error) {
    const isLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    const why = isLarge ? `it is larger than ${LIMIT_BYTES / 2 ** 20} MiB` : (error as Error).message;
    throw new MalformedRelease(`it cannot be unpacked: ${why}`);
  }
  return releaseFromJson(json.toString('utf8'), labels);
}

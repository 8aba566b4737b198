import { gzipSync } from 'node:zlib';
import type { Release } from './release.ts';
import { releaseFromJson } from './release-from-json.ts';
import { releaseToJson } from './release-json.ts';
import { type RecordBudget, unpackRecord } from './unpack-record.ts';

/** Encodes a release for the field `release` of its storage object: base64 of gzip of JSON. */
export function encodeRelease(release: Release): string {
  return gzipSync(releaseToJson(release), { level: 9 }).toString('base64');
}

/**
 * Decodes what `encodeRelease` writes. Also accepts uncompressed text, as Helm does for its earliest releases.
 * @throws MalformedRelease
 */
export function decodeRelease(
  text: string,
  labels: Readonly<Record<string, string>> = {},
  budget?: RecordBudget,
): Release {
  return releaseFromJson(unpackRecord(text, budget), labels);
}

/** Like `decodeRelease`, for lists: omits the values, which take the most memory. */
export function decodeWithoutValues(text: string): Release {
  return releaseFromJson(unpackRecord(text), {}, () => new Map());
}

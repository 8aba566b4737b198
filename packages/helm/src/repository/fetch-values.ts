import { type FetchOptions, fetchFile } from './fetch-file.ts';
import { NO_ENTRY } from './repositories-file.ts';

/** Maximum size of a values file from an address or standard input. */
export const VALUES_LIMIT_BYTES = 5 * 1024 * 1024;

/** Whether values come from an address instead of a path. */
export function isAddress(source: string): boolean {
  return /^(?:https?|oci):/i.test(source);
}

/**
 * Fetches a values file by its address, like `helm -f https://...`. Sends user and password of the address only to its
 * own server; redirects, silence and size have the limits of charts and indexes.
 * @throws CodedError as fetchFile does
 */
export function fetchValues(
  address: string,
  network: Omit<FetchOptions, 'of' | 'accept' | 'limitBytes'>,
): Promise<Uint8Array> {
  const entry = { ...NO_ENTRY, url: address };
  return fetchFile(address, entry, {
    ...network,
    of: { kind: 'values' },
    accept: '*/*',
    limitBytes: VALUES_LIMIT_BYTES,
  });
}

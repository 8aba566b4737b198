import { type FetchOptions, fetchFile } from './fetch-file.ts';
import { NO_ENTRY } from './repositories-file.ts';

/** A file of values, given by its address or on standard input. */
export const VALUES_LIMIT_BYTES = 5 * 1024 * 1024;

/** Whether values are at an address, not at a path. */
export function isAddress(source: string): boolean {
  return /^(?:https?|oci):/i.test(source);
}

/**
 * A file of values by its address, as `helm -f https://...` reads one. Sends user and password of the address
 * only to its own server; redirects, silence and size have the limits of charts and indexes.
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

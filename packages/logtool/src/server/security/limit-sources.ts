import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { serverFailure } from '../failures.ts';

/** Maximum sources of all queries in one request. A query has up to 200, and the page sends one query at a time. */
export const MAX_REQUEST_SOURCES = 256;
/**
 * Maximum sources of all open requests of one person. With `--allowed-namespaces` a source counts once for each
 * namespace to search.
 */
export const MAX_PERSON_SOURCES = 2_048;

/** Throws the usage error `too-many-sources` if the queries of a request have too many together. */
export function checkSourceCount(queries: readonly { readonly sources: readonly string[] }[]): void {
  const count = queries.reduce((sum, { sources }) => sum + sources.length, 0);
  if (count <= MAX_REQUEST_SOURCES) return;
  throw serverFailure('too-many-sources', { count, limit: MAX_REQUEST_SOURCES }, { exit: 'usage' });
}

const openSources = new Map<string, number>();

/**
 * Counts sources as open for a person, until the returned function is called. Throws `too-many-open-sources` above the
 * limit.
 */
export function holdSources(person: string, count: number): () => void {
  const all = (openSources.get(person) ?? 0) + count;
  if (all > MAX_PERSON_SOURCES) throw tooMany(all);
  openSources.set(person, all);
  let isHeld = true;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    const left = (openSources.get(person) ?? 0) - count;
    if (left > 0) openSources.set(person, left);
    else openSources.delete(person);
  };
}

function tooMany(count: number): CodedError {
  return serverFailure('too-many-open-sources', { count, limit: MAX_PERSON_SOURCES });
}

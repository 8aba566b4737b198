import type { CollectionQuery, KubeObject, ListOptions, ResourceType } from '../client.ts';
import { isKubeError, KubeError, type RequestSubject } from '../errors.ts';
import type { ListBody } from '../transport/list-body.ts';
import { performList } from '../transport/perform.ts';
import type { Wire } from '../transport/wire.ts';
import { asRecord } from '../values/as-record.ts';
import type { KubeProblem } from '../values/problems.ts';
import { asKubeObject, JSON_ACCEPT, METADATA_LIST_ACCEPT } from './decode.ts';
import { resourcePath, subjectOf } from './paths.ts';

const PAGE_SIZE = 500;
/** One page, decompressed: larger than 500 objects of half a megabyte each, which no etcd holds in that shape. */
const PAGE_LIMIT_BYTES = 256 * 1024 * 1024;

/** Five million objects: more than any cluster holds. Stops a server that always offers one more page. */
const MAX_PAGES = 10_000;

/** One page; `continueToken` leads to the next, and is undefined on the last page. */
export interface ListPage<T extends KubeObject> {
  readonly items: readonly T[];
  readonly resourceVersion: string;
  readonly continueToken: string | undefined;
}

/** Which page: at most `limit` objects (undefined: all), starting at a token. */
export interface PageRequest {
  readonly limit: number | undefined;
  readonly continueToken?: string | undefined;
}

/** Reads one page of a list. */
export async function listPage<T extends KubeObject>(
  wire: Wire,
  type: ResourceType,
  query: CollectionQuery,
  page: PageRequest,
  options: ListOptions = {},
): Promise<ListPage<T>> {
  const subject = subjectOf('list', type, query);
  const path = resourcePath(type, query, {
    labelSelector: query.labelSelector,
    fieldSelector: query.fieldSelector,
    limit: page.limit?.toString(),
    continue: page.continueToken,
  });
  const accept = query.metadataOnly ? METADATA_LIST_ACCEPT : JSON_ACCEPT;
  const { keep } = options;
  const decodeItem = (item: unknown): T =>
    keep === undefined ? asKubeObject<T>(item, subject) : (keep(asKubeObject(item, subject)) as T);
  const answer = await performList(
    wire,
    { method: 'GET', path, subject, accept, gzip: true, signal: options.signal },
    { rule: 'safe', limitBytes: PAGE_LIMIT_BYTES },
    decodeItem,
  );
  return pageOf(answer, subject);
}

function pageOf<T extends KubeObject>(
  { list: value, items }: ListBody<T>,
  subject: RequestSubject,
): ListPage<T> {
  const list = asRecord(value);
  const metadata = asRecord(list?.metadata);
  // Go writes an empty list as null, or omits it.
  const found = (list?.items ?? undefined) === undefined ? [] : items;
  if (metadata === undefined || found === undefined) {
    throw new KubeError({ kind: 'protocol', problem: { code: 'not-a-list', data: {} }, request: subject });
  }
  const { resourceVersion, continue: next } = metadata;
  return {
    items: found,
    resourceVersion: typeof resourceVersion === 'string' ? resourceVersion : '',
    continueToken: typeof next === 'string' && next !== '' ? next : undefined,
  };
}

/**
 * Yields a list in pages of 500. If a continue token expires in between (410, after 5 to 10 minutes), continues
 * inconsistently with the token of that response; if it has none, lists again and omits the objects already yielded.
 */
export async function* listAll<T extends KubeObject>(
  wire: Wire,
  type: ResourceType,
  query: CollectionQuery,
  options: ListOptions = {},
): AsyncGenerator<ListPage<T>> {
  const handedOut = new Set<string>();
  let request: PageRequest = { limit: PAGE_SIZE };
  for (let pages = 1; ; pages++) {
    const answer = await pageOrExpired<T>(wire, type, query, request, options);
    if (answer instanceof KubeError) {
      request = afterExpiry(answer, request);
      continue;
    }
    const items = answer.items.filter((item) => !handedOut.has(identity(item)));
    if (answer.continueToken === undefined) {
      yield { ...answer, items };
      return;
    }
    for (const item of answer.items) handedOut.add(identity(item));
    yield { ...answer, items };
    checkProgress(answer, request.continueToken, pages, subjectOf('list', type, query));
    request = { limit: request.limit, continueToken: answer.continueToken };
  }
}

/** Returns one page, or the error if the continue token has expired. */
async function pageOrExpired<T extends KubeObject>(
  wire: Wire,
  type: ResourceType,
  query: CollectionQuery,
  request: PageRequest,
  options: ListOptions,
): Promise<ListPage<T> | KubeError> {
  try {
    return await listPage<T>(wire, type, query, request, options);
  } catch (error) {
    // A list without a limit does not expire; if it does, no other request is left.
    const mayGoOn = request.continueToken !== undefined && request.limit !== undefined;
    if (!isKubeError(error, 'gone') || !mayGoOn) throw error;
    return error;
  }
}

/**
 * Returns the request that continues after `expired`: with the token that the server offers, else from the start
 * without pages, which cannot expire.
 */
function afterExpiry(expired: KubeError, { limit, continueToken }: PageRequest): PageRequest {
  const offered = expired.continueToken;
  // Without this check, a server that offers the expired token again would cause endless requests.
  if (offered === undefined || offered === continueToken) return { limit: undefined };
  return { limit, continueToken: offered };
}

/**
 * Returns the whole collection at one resourceVersion, from which a watch can continue without losing a deletion. If
 * pages expire, lists again without pages.
 */
export async function listConsistently<T extends KubeObject>(
  wire: Wire,
  type: ResourceType,
  query: CollectionQuery,
  options: ListOptions = {},
): Promise<{ readonly items: readonly T[]; readonly resourceVersion: string }> {
  let items: T[] = [];
  let continueToken: string | undefined;
  let limit: number | undefined = PAGE_SIZE;
  for (let pages = 1; ; pages++) {
    try {
      const page: ListPage<T> = await listPage(wire, type, query, { limit, continueToken }, options);
      items = items.length === 0 ? [...page.items] : items.concat(page.items);
      if (page.continueToken === undefined) return { items, resourceVersion: page.resourceVersion };
      checkProgress(page, continueToken, pages, subjectOf('list', type, query));
      continueToken = page.continueToken;
    } catch (error) {
      if (!isKubeError(error, 'gone') || continueToken === undefined) throw error;
      items = [];
      continueToken = undefined;
      limit = undefined;
    }
  }
}

/** Throws if a page leads back to itself, or the list does not end; either would be read forever. */
function checkProgress(
  page: ListPage<KubeObject>,
  previousToken: string | undefined,
  pages: number,
  request: RequestSubject,
): void {
  if (page.continueToken !== previousToken && pages < MAX_PAGES) return;
  const problem: KubeProblem =
    pages < MAX_PAGES
      ? { code: 'list-circle', data: {} }
      : { code: 'list-too-long', data: { pages: MAX_PAGES } };
  throw new KubeError({ kind: 'protocol', problem, request });
}

function identity(object: KubeObject): string {
  const { uid, namespace = '', name } = object.metadata;
  return uid === '' ? `${namespace}/${name}` : uid;
}

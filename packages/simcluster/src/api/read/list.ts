import { type Clock, sleep } from '@logtool/kube/src/values/clock.ts';
import { ApiError, badRequest } from '../../api-error.ts';
import type { Store, StoredObject } from '../../store/store.ts';
import type { ApiResource } from '../discovery/resources.ts';
import { type ContinuePosition, expiredContinue, formatContinue, parseContinue } from './continue-token.ts';
import { hasSelector, invalidVersion, type ListOptions, selects, tooLarge } from './list-options.ts';

export interface ListPage {
  readonly objects: readonly StoredObject[];
  readonly resourceVersion: number;
  readonly next: { readonly token: string; readonly remaining?: number } | undefined;
}

/** How long a list waits for a resourceVersion that does not exist yet. */
const FUTURE_WAIT_MS = 3000;

/**
 * Returns one page of a list. The rules for resourceVersion, resourceVersionMatch, limit and continue are those of
 * kubernetes.io/docs/reference/using-api/api-concepts.
 * @throws ApiError 400, 410, 504
 */
export async function listPage(
  store: Store,
  clock: Clock,
  type: ApiResource,
  namespace: string | undefined,
  options: ListOptions,
  signal: AbortSignal,
): Promise<ListPage> {
  const { resourceVersion: wanted, limit } = options;
  if (wanted !== '' && !/^\d+$/.test(wanted))
    throw badRequest(`invalid resource version: ${invalidVersion(wanted)}`);
  if (Number(wanted) > store.resourceVersion) {
    await sleep(clock, FUTURE_WAIT_MS, signal);
    if (Number(wanted) > store.resourceVersion) throw tooLarge(wanted, store.resourceVersion);
  }
  const position = options.continueToken === '' ? undefined : parseContinue(options.continueToken);
  const listed = stateOf(store, type, namespace, options, position);
  const objects = position === undefined ? listed.objects : after(listed.objects, namespace, position.start);
  const cached = wanted === '0' && options.resourceVersionMatch !== 'Exact';
  return page(
    objects,
    listed.version,
    namespace,
    { ...options, limit: cached ? 0 : limit },
    type.storedAs !== 'events',
  );
}

interface ListedState {
  readonly version: number;
  readonly objects: readonly StoredObject[];
}

/**
 * Returns the state that a list shows: the current one, that of its first page, or that of the version in the request.
 */
function stateOf(
  store: Store,
  type: ApiResource,
  namespace: string | undefined,
  options: ListOptions,
  position: ContinuePosition | undefined,
): ListedState {
  if (position !== undefined && position.resourceVersion > 0) {
    const version = position.resourceVersion;
    const objects = stateAt(store, type, namespace, version);
    if (objects === undefined) throw expiredContinue(position);
    return { version, objects };
  }
  if (isOfExactVersion(options)) {
    const version = Number(options.resourceVersion);
    const objects = stateAt(store, type, namespace, version);
    if (objects === undefined) {
      throw new ApiError(410, 'Expired', 'The resourceVersion for the provided list is too old.');
    }
    return { version, objects };
  }
  return { version: store.resourceVersion, objects: store.list(type.storedAs, namespace) };
}

function isOfExactVersion({ resourceVersion, resourceVersionMatch, limit }: ListOptions): boolean {
  if (resourceVersionMatch === 'Exact') return true;
  return resourceVersion !== '' && resourceVersion !== '0' && limit > 0 && resourceVersionMatch === '';
}

function page(
  objects: readonly StoredObject[],
  resourceVersion: number,
  namespace: string | undefined,
  options: ListOptions,
  tokenOfCache: boolean,
): ListPage {
  const { limit } = options;
  if (limit <= 0) {
    return {
      objects: objects.filter((object) => selects(options, object)),
      resourceVersion,
      next: undefined,
    };
  }
  const found: StoredObject[] = [];
  for (const [index, object] of objects.entries()) {
    if (!selects(options, object)) continue;
    found.push(object);
    if (found.length < limit) continue;
    const remaining = objects.length - index - 1;
    if (remaining === 0) break;
    const token = formatContinue({ resourceVersion, start: keyIn(object, namespace) }, tokenOfCache);
    const next = hasSelector(options) ? { token } : { token, remaining };
    return { objects: found, resourceVersion, next };
  }
  return { objects: found, resourceVersion, next: undefined };
}

/** Returns the key of an object below the listed path. */
function keyIn(object: StoredObject, namespace: string | undefined): string {
  const { name, namespace: own } = object.metadata;
  return namespace !== undefined || own === undefined ? name : `${own}/${name}`;
}

function after(
  objects: readonly StoredObject[],
  namespace: string | undefined,
  start: string,
): readonly StoredObject[] {
  return objects.filter((object) => keyIn(object, namespace) > start);
}

/**
 * Returns the objects at a resourceVersion, by undoing later events in the current ones; undefined if the version is
 * too old.
 */
function stateAt(
  store: Store,
  type: ApiResource,
  namespace: string | undefined,
  version: number,
): readonly StoredObject[] | undefined {
  const events = store.since(type.storedAs, version);
  if (events === undefined) return undefined;
  if (events.length === 0) return store.list(type.storedAs, namespace);
  const key = (object: StoredObject) => `${object.metadata.namespace ?? ''}/${object.metadata.name}`;
  const state = new Map(store.list(type.storedAs).map((object) => [key(object), object]));
  for (const event of [...events].reverse()) {
    if (event.before === undefined) state.delete(key(event.object));
    else state.set(key(event.before), event.before);
  }
  return [...state.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, object]) => object)
    .filter((object) => namespace === undefined || object.metadata.namespace === namespace);
}

import { BUILTIN_RESOURCES } from '@logtool/kube/src/builtin-resources.ts';
import type {
  CollectionQuery,
  KubeClient,
  KubeObject,
  ListOptions,
  ReflectorEvent,
  ResourceType,
} from '@logtool/kube/src/client.ts';
import { KubeError } from '@logtool/kube/src/errors.ts';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { fieldsMatch, parseFieldSelector } from '../../src/api/read/field-selector.ts';
import { labelsMatch, parseLabelSelector } from '../../src/api/read/label-selector.ts';
import { createStore } from '../../src/store/memory-store.ts';
import type { StoredObject, StoreEvent } from '../../src/store/store.ts';

type Query = CollectionQuery & { readonly name?: string | undefined };

interface Watcher {
  readonly type: ResourceType;
  readonly query: Query;
  readonly push: (event: ReflectorEvent<KubeObject>) => void;
}

/**
 * The store of the simulated cluster with the client's interface, without sockets: for tests that create every object
 * themselves and check each request. It selects and watches as the simulated API server does, rejects the requests that
 * a test names, and throws for requests other than get, list, reflect and discover.
 */
export class InProcessCluster {
  /** `VERB PLURAL NAMESPACE NAME SELECTORS`, `-` for all namespaces. */
  readonly requests: string[] = [];
  /** Requests that begin with one of these get 403. */
  readonly refused: string[] = [];
  readonly types: ResourceType[] = [...BUILTIN_RESOURCES];
  readonly #store = createStore({ clock: new FakeClock() });
  readonly #watchers = new Set<Watcher>();

  put(plural: string, object: object): KubeObject {
    const given = object as StoredObject;
    const { namespace, name } = given.metadata;
    const resource = this.#resourceOf(plural);
    const before = this.#store.get(resource, namespace, name);
    if (before === undefined) return this.#store.create(resource, given);
    // No update changes it.
    const { creationTimestamp } = before.metadata;
    return this.#store.replace(resource, before, {
      ...given,
      metadata: { ...given.metadata, creationTimestamp },
    });
  }

  remove(plural: string, namespace: string | undefined, name: string): void {
    if (this.#store.remove(this.#resourceOf(plural), namespace, name) === undefined)
      throw new Error(`no ${plural}/${name} in the cluster`);
  }

  /** Sends a reflector event to every watcher of that resource. */
  send(plural: string, event: ReflectorEvent<KubeObject>): void {
    for (const watcher of this.#watchers) if (watcher.type.plural === plural) watcher.push(event);
  }

  get watched(): readonly string[] {
    return [...this.#watchers].map(({ type, query }) => requestText('watch', type, query));
  }

  client(): KubeClient {
    const never = (): never => {
      throw new Error('an in-process cluster answers get, list, reflect and discover only');
    };
    return {
      cluster: { context: 'test', server: 'https://test', namespace: 'shop', user: 'tester' },
      discover: async () => {
        this.#note('discover');
        return this.types;
      },
      get: async <T extends KubeObject>(type: ResourceType, ref: Query) => this.#get(type, ref) as T,
      getMetadata: async (type, ref) => shown({ metadataOnly: true }, this.#get(type, ref, ' metadata')),
      list: <T extends KubeObject>(type: ResourceType, query: CollectionQuery, options: ListOptions = {}) =>
        this.#list<T>(type, query, options),
      reflect: <T extends KubeObject>(type: ResourceType, query: Query, options: ListOptions = {}) =>
        this.#reflect<T>(type, query, options),
      watch: never,
      log: never,
      nodeFile: never,
      review: never,
      version: never,
      groupVersion: never,
      create: never,
      update: never,
      patch: never,
      delete: never,
      close: () => undefined,
    };
  }

  #resourceOf(plural: string): string {
    const type = this.types.find((known) => known.plural === plural);
    if (type === undefined) throw new Error(`${plural} is not among the types of the cluster`);
    return storedAs(type);
  }

  #get(type: ResourceType, ref: Query, suffix = ''): KubeObject {
    this.#note(requestText('get', type, ref) + suffix);
    const [found] = this.#select(type, ref);
    if (found !== undefined) return found;
    throw new KubeError({
      kind: 'not-found',
      status: 404,
      reason: 'NotFound',
      message: `${type.plural} "${ref.name}" not found`,
      details: { name: ref.name, kind: type.plural, causes: [] },
    });
  }

  async *#list<T extends KubeObject>(type: ResourceType, query: CollectionQuery, { keep }: ListOptions) {
    this.#note(requestText('list', type, query));
    const items = this.#listed<T>(type, query, keep);
    const resourceVersion = String(this.#store.resourceVersion);
    // Two pages, as from a server with more than one page.
    const half = Math.ceil(items.length / 2);
    yield { items: items.slice(0, half), resourceVersion };
    yield { items: items.slice(half), resourceVersion };
  }

  async *#reflect<T extends KubeObject>(
    type: ResourceType,
    query: Query,
    { signal, keep }: ListOptions,
  ): AsyncGenerator<ReflectorEvent<T>> {
    this.#note(requestText('reflect', type, query));
    const waiting: ReflectorEvent<T>[] = [];
    let wake = () => {};
    const push = (event: ReflectorEvent<KubeObject>) => {
      waiting.push(event as ReflectorEvent<T>);
      wake();
    };
    const watcher: Watcher = { type, query, push };
    const matches = matcherOf(type, query);
    this.#watchers.add(watcher);
    const unsubscribe = this.#store.subscribe(storedAs(type), (event) => {
      const change = changeFor(event, matches);
      if (change !== undefined) push({ type: change.type, object: shown(query, change.object) });
    });
    signal?.addEventListener('abort', () => wake(), { once: true });
    try {
      yield { type: 'snapshot', objects: this.#listed<T>(type, query, keep) };
      while (signal?.aborted !== true) {
        const event = waiting.shift();
        if (event !== undefined) yield event;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    } finally {
      unsubscribe();
      this.#watchers.delete(watcher);
    }
  }

  /** Returns what a list leaves of its objects. As in the client, a watch delivers whole ones. */
  #listed<T extends KubeObject>(type: ResourceType, query: Query, keep: ListOptions['keep']): T[] {
    const objects = this.#select(type, query).map((object) => shown(query, object));
    return (keep === undefined ? objects : objects.map(keep)) as T[];
  }

  #select(type: ResourceType, query: Query): readonly StoredObject[] {
    return this.#store.list(storedAs(type)).filter(matcherOf(type, query));
  }

  #note(request: string): void {
    this.requests.push(request);
    if (!this.refused.some((start) => request.startsWith(start))) return;
    const [verb = '', resource = ''] = request.split(' ');
    throw new KubeError({
      kind: 'forbidden',
      status: 403,
      reason: 'Forbidden',
      message: `${resource} is forbidden: User "tester" cannot ${verb} resource "${resource}" in API group "" at the cluster scope`,
    });
  }
}

function storedAs({ plural, group }: ResourceType): string {
  return group === '' ? plural : `${plural}.${group}`;
}

type Matcher = (object: StoredObject) => boolean;

function matcherOf(type: ResourceType, query: Query): Matcher {
  const { namespace, name, labelSelector = '', fieldSelector = '' } = query;
  const labels = parseLabelSelector(labelSelector);
  const fields = parseFieldSelector(fieldSelector, { storedAs: storedAs(type), group: type.group });
  return (object) => {
    const { metadata } = object;
    if (namespace !== undefined && metadata.namespace !== namespace) return false;
    if (name !== undefined && metadata.name !== name) return false;
    return labelsMatch(labels, metadata.labels) && fieldsMatch(fields, object);
  };
}

/** Returns the event that a change causes in a watch: an object that no longer matches is deleted. */
function changeFor({ type, object, before }: StoreEvent, matches: Matcher) {
  if (type !== 'DELETED' && matches(object)) return { type: 'changed', object } as const;
  return before !== undefined && matches(before) ? ({ type: 'deleted', object: before } as const) : undefined;
}

function shown(query: CollectionQuery, object: KubeObject): KubeObject {
  return query.metadataOnly ? { metadata: object.metadata } : object;
}

function requestText(verb: string, type: ResourceType, query: Query): string {
  const { namespace, name, labelSelector, fieldSelector, metadataOnly } = query;
  const fields = [verb, type.plural, namespace ?? '-', name, labelSelector, fieldSelector];
  if (metadataOnly) fields.push('metadata');
  return fields.filter((field) => field !== undefined).join(' ');
}

import { BUILTIN_RESOURCES } from '@logtool/kube/src/builtin-resources.ts';
import type {
  CollectionQuery,
  KubeClient,
  KubeObject,
  ReflectorEvent,
  ResourceType,
} from '@logtool/kube/src/client.ts';
import { KubeError } from '@logtool/kube/src/errors.ts';
import { parseLabelSelector, selects } from '../label-selector.ts';
import { readLabels } from '../pod-facts.ts';

type Query = CollectionQuery & { readonly name?: string | undefined };

interface Watcher {
  readonly type: ResourceType;
  readonly query: Query;
  readonly push: (event: ReflectorEvent<KubeObject>) => void;
}

/**
 * Objects in memory behind the client's interface, for tests of resolution: it counts requests, refuses what it is
 * told to refuse, and tells watchers of changes as a real watch does (with a DELETED when a selector no longer
 * matches). Everything that resolution has no business with throws.
 */
export class FakeCluster {
  readonly requests: string[] = [];
  /** Requests that begin with one of these are answered 403. */
  readonly refused: string[] = [];
  readonly types: ResourceType[] = [...BUILTIN_RESOURCES];
  readonly #objects = new Map<string, { readonly plural: string; readonly object: KubeObject }>();
  readonly #watchers = new Set<Watcher>();
  #version = 1;

  put(plural: string, object: object): KubeObject {
    const given = object as KubeObject;
    const key = keyOf(plural, given);
    const before = this.#objects.get(key)?.object;
    const kept = {
      ...given,
      metadata: { ...given.metadata, resourceVersion: String(this.#version++) },
    };
    this.#objects.set(key, { plural, object: kept });
    for (const watcher of this.#watchers) {
      if (watcher.type.plural !== plural) continue;
      if (matches(watcher.query, kept)) watcher.push({ type: 'changed', object: show(watcher.query, kept) });
      else if (before !== undefined && matches(watcher.query, before)) {
        watcher.push({ type: 'deleted', object: show(watcher.query, before) });
      }
    }
    return kept;
  }

  remove(plural: string, namespace: string | undefined, name: string): void {
    const found = this.#find(plural, { namespace, name })[0];
    if (found === undefined) throw new Error(`there is no ${plural}/${name}`);
    this.#objects.delete(keyOf(plural, found));
    for (const watcher of this.#watchers) {
      if (watcher.type.plural === plural && matches(watcher.query, found)) {
        watcher.push({ type: 'deleted', object: show(watcher.query, found) });
      }
    }
  }

  /** Tells every watcher of that resource, as the reflector would. */
  tell(plural: string, event: ReflectorEvent<KubeObject>): void {
    for (const watcher of this.#watchers) if (watcher.type.plural === plural) watcher.push(event);
  }

  get watched(): readonly string[] {
    return [...this.#watchers].map(({ type, query }) => requestText('watch', type, query));
  }

  client(): KubeClient {
    const never = (): never => {
      throw new Error('resolution must not ask for this');
    };
    return {
      cluster: { context: 'test', server: 'https://test', namespace: 'shop', user: 'tester' },
      discover: async () => {
        this.#ask('discover');
        return this.types;
      },
      get: async <T extends KubeObject>(type: ResourceType, ref: Query) => this.#get(type, ref) as T,
      getMetadata: async (type, ref) => show({ metadataOnly: true }, this.#get(type, ref, ' metadata')),
      list: <T extends KubeObject>(type: ResourceType, query: CollectionQuery) => this.#list<T>(type, query),
      reflect: <T extends KubeObject>(
        type: ResourceType,
        query: Query,
        options: { readonly signal?: AbortSignal | undefined } = {},
      ) => this.#reflect<T>(type, query, options.signal),
      watch: never,
      log: never,
      review: never,
      version: never,
      create: never,
      update: never,
      patch: never,
      delete: never,
      close: () => {},
    };
  }

  #get(type: ResourceType, ref: Query, suffix = ''): KubeObject {
    const text = requestText('get', type, ref) + suffix;
    this.#ask(text);
    const [found] = this.#find(type.plural, ref);
    if (found !== undefined) return found;
    throw new KubeError({
      kind: 'not-found',
      status: 404,
      reason: 'NotFound',
      message: `${type.plural} "${ref.name}" not found`,
      details: { name: ref.name, kind: type.plural, causes: [] },
    });
  }

  async *#list<T extends KubeObject>(type: ResourceType, query: CollectionQuery) {
    this.#ask(requestText('list', type, query));
    const items = this.#find(type.plural, query).map((object) => show(query, object)) as T[];
    // Two pages, as a server with more than one has.
    const half = Math.ceil(items.length / 2);
    yield { items: items.slice(0, half), resourceVersion: String(this.#version) };
    yield { items: items.slice(half), resourceVersion: String(this.#version) };
  }

  async *#reflect<T extends KubeObject>(
    type: ResourceType,
    query: Query,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<ReflectorEvent<T>> {
    this.#ask(requestText('reflect', type, query));
    const waiting: ReflectorEvent<T>[] = [];
    let wake = () => {};
    const watcher: Watcher = {
      type,
      query,
      push: (event) => {
        waiting.push(event as ReflectorEvent<T>);
        wake();
      },
    };
    this.#watchers.add(watcher);
    signal?.addEventListener('abort', () => wake(), { once: true });
    try {
      const objects = this.#find(type.plural, query).map((object) => show(query, object)) as T[];
      yield { type: 'snapshot', objects };
      while (signal?.aborted !== true) {
        const event = waiting.shift();
        if (event !== undefined) yield event;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    } finally {
      this.#watchers.delete(watcher);
    }
  }

  #find(plural: string, query: Query): readonly KubeObject[] {
    return [...this.#objects.values()]
      .filter((entry) => entry.plural === plural && matches(query, entry.object))
      .map((entry) => entry.object);
  }

  #ask(request: string): void {
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

function keyOf(plural: string, { metadata }: KubeObject): string {
  return `${plural} ${metadata.namespace ?? ''} ${metadata.name}`;
}

function matches(query: Query, object: KubeObject): boolean {
  const { metadata } = object;
  const { namespace, name, labelSelector, fieldSelector = '' } = query;
  const { phase } = (object as { readonly status?: { readonly phase?: string } }).status ?? {};
  const fields: Readonly<Record<string, string | undefined>> = {
    'metadata.name': metadata.name,
    'status.phase': phase,
  };
  for (const term of fieldSelector.split(',').filter((each) => each !== '')) {
    const [field = '', value] = term.split('=');
    if (fields[field] !== value) return false;
  }
  if (namespace !== undefined && metadata.namespace !== namespace) return false;
  if (name !== undefined && metadata.name !== name) return false;
  return (
    labelSelector === undefined || selects(parseLabelSelector(labelSelector), readLabels(metadata.labels))
  );
}

function show(query: CollectionQuery, object: KubeObject): KubeObject {
  return query.metadataOnly ? { metadata: object.metadata } : object;
}

function requestText(verb: string, type: ResourceType, query: Query): string {
  const { namespace, name, labelSelector, fieldSelector, metadataOnly } = query;
  const words = [verb, type.plural, namespace ?? '-', name, labelSelector, fieldSelector];
  if (metadataOnly) words.push('metadata');
  return words.filter((word) => word !== undefined).join(' ');
}

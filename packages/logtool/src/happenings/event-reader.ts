import { EVENTS } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeObject, ReflectorEvent, ResourceType } from '@logtool/kube/src/client.ts';
import { isKubeError } from '@logtool/kube/src/errors.ts';
import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { Fact, FactSubject } from '../domain/facts/fact.ts';
import { EventStore, MAX_EVENTS } from './event-store.ts';
import { type FactContext, reportUnreadable } from './fact-context.ts';
import { factsOfAutoscaler, scaleTargetOf } from './facts-of-autoscaler.ts';
import { type EventFact, slimEvent } from './facts-of-event.ts';
import { AUTOSCALERS, EVENTS_V1 } from './resources.ts';

/** The namespace of events about nodes, which have no namespace. */
export const NODE_NAMESPACE = 'default';

/** Which Events to read. */
export interface EventScope {
  /** Ignores events of other namespaces. */
  readonly namespaces: readonly string[];
  /** One list and watch of all namespaces; otherwise there is one namespace. */
  readonly isWide?: true;
  /** Requests only events about nodes. */
  readonly nodesOnly?: true;
}

/** The result of the first list. */
export type FirstList = 'read' | 'refused' | 'failed';

/**
 * Reads the Events of one namespace, or of many with one request: lists them in pages, and with follow
 * watches them.
 */
export class EventReader {
  readonly #context: FactContext;
  readonly #of: EventScope;
  /** By namespace. */
  readonly #stores: ReadonlyMap<string, EventStore>;
  readonly #asked = new Set<string>();
  #isRead = false;

  constructor(context: FactContext, of: EventScope) {
    this.#context = context;
    this.#of = of;
    this.#stores = new Map(of.namespaces.map((namespace) => [namespace, new EventStore(context.scope)]));
  }

  /**
   * Resolves when what exists now is read, or cannot be; with follow, continues until the signal aborts. Does
   * not report that a wide list was refused: the user may have permission for each namespace.
   */
  async run(onFirst: (list: FirstList) => void): Promise<void> {
    const onRead = () => onFirst('read');
    // Applies also to a follow that is interrupted before its first list.
    let otherwise: FirstList = 'failed';
    try {
      await this.#runWith(EVENTS_V1, onRead).catch((error: unknown) => {
        if (!isOtherApi(error)) throw error;
        return this.#runWith(EVENTS, onRead);
      });
    } catch (error) {
      otherwise = this.#failed(error);
    }
    onFirst(otherwise);
  }

  /** More objects are in view: earlier events may be about one of them. */
  async recheck(): Promise<void> {
    if (!this.#isRead) return;
    this.#context.give(this.#matching());
    await this.#learnAutoscalers();
  }

  /**
   * Returns the times from which events were read; for a namespace with more events than the limit, the time
   * of its oldest kept one.
   */
  since(): { readonly oldest: readonly Timestamp[]; readonly cut: readonly Timestamp[] } {
    const stores = [...this.#stores.values()];
    const oldestOf = (some: readonly EventStore[]) => some.flatMap((store) => store.oldest() ?? []);
    return { oldest: oldestOf(stores), cut: oldestOf(stores.filter(({ isCut }) => isCut)) };
  }

  /** Returns the workloads of which events report that they have no pods, and that are not in view (yet). */
  withoutPods(): readonly FactSubject[] {
    return [...this.#stores.values()].flatMap((store) => store.withoutPods());
  }

  get #namespace(): string | undefined {
    return this.#of.isWide ? undefined : this.#of.namespaces[0];
  }

  #failed(error: unknown): FirstList {
    if (this.#of.isWide && isKubeError(error, 'forbidden')) return 'refused';
    reportUnreadable(this.#context, 'events', this.#namespace, error);
    return 'failed';
  }

  async #runWith(type: ResourceType, onRead: () => void): Promise<void> {
    const { client, signal, follow } = this.#context;
    const subject = type.group === '' ? 'involvedObject' : 'regarding';
    const query = {
      namespace: this.#namespace,
      fieldSelector: this.#of.nodesOnly ? `${subject}.kind=Node` : undefined,
    };
    // Puts events into the bounded stores page by page: holds only the names of a long list until its end.
    const options = { signal, keep: (object: KubeObject) => this.#putListed(object) };
    if (!follow) {
      for await (const _ of client.list<KubeObject>(type, query, options));
      await this.#takeIn();
      return onRead();
    }
    for await (const event of client.reflect<KubeObject>(type, query, options)) {
      await this.#take(event);
      if (event.type === 'snapshot') onRead();
      await this.#context.room();
    }
  }

  #putListed(object: KubeObject): KubeObject {
    this.#put(object);
    const { uid, name, namespace = '', resourceVersion } = object.metadata;
    return { metadata: { uid, name, namespace, resourceVersion } };
  }

  #put(object: KubeObject): EventFact | undefined {
    return this.#storeOf(object)?.put(slimEvent(object));
  }

  #storeOf({ metadata }: KubeObject): EventStore | undefined {
    return this.#stores.get(metadata.namespace ?? '');
  }

  #matching(): readonly Fact[] {
    return [...this.#stores.values()].flatMap((store) => store.matching());
  }

  async #take(event: ReflectorEvent<KubeObject>): Promise<void> {
    switch (event.type) {
      case 'snapshot': {
        const uids = new Set(event.objects.map(({ metadata }) => metadata.uid));
        for (const store of this.#stores.values()) store.retain(uids);
        return this.#takeIn();
      }
      case 'changed':
        return this.#takeChange(event.object);
      case 'deleted':
        return this.#storeOf(event.object)?.delete(event.object);
      case 'state':
        // The watch of the pods reports the state of the connection.
        return;
      default:
        event satisfies never;
    }
  }

  async #takeIn(): Promise<void> {
    this.#isRead = true;
    const facts = this.#matching();
    // In a list, events of controllers about their pods may follow the events of those pods.
    this.#context.give([...facts, ...this.#matching()]);
    for (const [namespace, store] of this.#stores)
      if (store.isCut) this.#context.notice({ code: 'facts-cut', data: { namespace, kept: MAX_EVENTS } });
    await this.#learnAutoscalers();
  }

  async #takeChange(object: KubeObject): Promise<void> {
    const store = this.#storeOf(object);
    // Without permission to watch, changes come from further lists, which have put them into the store.
    const event = isListed(object) ? store?.get(object.metadata.uid) : this.#put(object);
    if (store === undefined || event === undefined) return;
    store.learn(event);
    if (this.#context.scope.has(event.fact.subject)) this.#context.give([event.fact]);
    else if (event.fact.subject.kind === AUTOSCALERS.kind) await this.#learnAutoscalers();
  }

  /** Reads each autoscaler that events are about once: only its spec names the workload. */
  async #learnAutoscalers(): Promise<void> {
    const { client, scope, signal, give } = this.#context;
    const before = scope.size;
    const unknown = [...this.#stores.values()].flatMap((store) => store.unknownOf(AUTOSCALERS.kind));
    for (const { subject } of unknown) {
      if (this.#asked.has(subject.uid)) continue;
      this.#asked.add(subject.uid);
      try {
        const { namespace, name } = subject;
        const found = await client.get<KubeObject>(AUTOSCALERS, { namespace, name }, { signal });
        const target = scaleTargetOf(found);
        if (!scope.hasWorkload(target.kind, namespace, target.name)) continue;
        scope.addUid(subject.uid);
        give(factsOfAutoscaler(found));
      } catch (error) {
        // A deleted autoscaler no longer scales anything.
        if (!isKubeError(error, 'not-found'))
          reportUnreadable(this.#context, 'autoscalers', subject.namespace, error);
      }
    }
    if (scope.size > before) give(this.#matching());
  }
}

/** Whether this is what remains of a listed event: every complete one has a subject. */
function isListed(object: KubeObject): boolean {
  return !('regarding' in object) && !('involvedObject' in object);
}

/** The server, or the user's permissions, may include only the older API. */
function isOtherApi(error: unknown): boolean {
  return (['not-found', 'forbidden', 'bad-request'] as const).some((kind) => isKubeError(error, kind));
}

import { EVENTS } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeObject, ReflectorEvent, ResourceType } from '@logtool/kube/src/client.ts';
import { isKubeError } from '@logtool/kube/src/errors.ts';
import { asRecord } from '@logtool/kube/src/values/as-record.ts';
import { textOf } from '../resolve/pods/read-json.ts';
import { EventStore, MAX_EVENTS } from './event-store.ts';
import { type FactContext, reportUnreadable } from './fact-context.ts';
import { slimEvent } from './facts-of-event.ts';
import { AUTOSCALERS, EVENTS_V1 } from './resources.ts';

/** The namespace in which the events of nodes are, which have none of their own. */
export const NODE_NAMESPACE = 'default';

/** The Events of one namespace: listed in pages, and with follow watched. */
export class EventReader {
  readonly #context: FactContext;
  readonly #namespace: string;
  readonly #nodesOnly: boolean;
  readonly #store: EventStore;
  readonly #asked = new Set<string>();
  #isRead = false;

  /** `nodesOnly`: only events about nodes are asked for. */
  constructor(context: FactContext, namespace: string, nodesOnly: boolean) {
    this.#context = context;
    this.#namespace = namespace;
    this.#nodesOnly = nodesOnly;
    this.#store = new EventStore(context.scope);
  }

  /** Resolves when what exists now is read, or cannot be; with follow goes on until the signal is aborted. */
  async run(onRead: () => void): Promise<void> {
    try {
      await this.#runWith(EVENTS_V1, onRead);
    } catch (error) {
      if (!isOtherApi(error)) return this.#fail(error, onRead);
      try {
        await this.#runWith(EVENTS, onRead);
      } catch (second) {
        this.#fail(second, onRead);
      }
    }
  }

  /** More objects are in view: events that were about none may be about one of them. */
  async recheck(): Promise<void> {
    if (!this.#isRead) return;
    this.#context.give(this.#store.matching());
    await this.#learnAutoscalers();
  }

  #fail(error: unknown, onRead: () => void): void {
    reportUnreadable(this.#context, 'events', this.#namespace, error);
    onRead();
  }

  async #runWith(type: ResourceType, onRead: () => void): Promise<void> {
    const { client, signal, follow } = this.#context;
    const subject = type.group === '' ? 'involvedObject' : 'regarding';
    const query = {
      namespace: this.#namespace,
      fieldSelector: this.#nodesOnly ? `${subject}.kind=Node` : undefined,
    };
    const options = { signal, keep: slimEvent };
    if (!follow) {
      for await (const page of client.list<KubeObject>(type, query, options))
        for (const object of page.items) this.#store.put(object);
      await this.#takeIn();
      return onRead();
    }
    for await (const event of client.reflect<KubeObject>(type, query, options)) {
      await this.#take(event);
      if (event.type === 'snapshot') onRead();
    }
  }

  async #take(event: ReflectorEvent<KubeObject>): Promise<void> {
    switch (event.type) {
      case 'snapshot':
        this.#store.clear();
        for (const object of event.objects) this.#store.put(object);
        return this.#takeIn();
      case 'changed':
        return this.#takeChange(event.object);
      case 'deleted':
        return this.#store.delete(event.object);
      case 'state':
        // The watch of the pods reports the state of the connection.
        return;
    }
  }

  async #takeIn(): Promise<void> {
    this.#isRead = true;
    const facts = this.#store.matching();
    // What a list of controllers says of their pods may come after the events of those.
    this.#context.give([...facts, ...this.#store.matching()]);
    if (this.#store.isCut)
      this.#context.notice({ code: 'facts-cut', data: { namespace: this.#namespace, kept: MAX_EVENTS } });
    await this.#learnAutoscalers();
  }

  async #takeChange(object: KubeObject): Promise<void> {
    const event = this.#store.put(slimEvent(object));
    this.#store.learn(event);
    if (this.#context.scope.has(event.fact.subject)) this.#context.give([event.fact]);
    else if (event.fact.subject.kind === AUTOSCALERS.kind) await this.#learnAutoscalers();
  }

  /** Reads the autoscalers that events are about, each once: only their specs name the workload. */
  async #learnAutoscalers(): Promise<void> {
    const { client, scope, signal, give } = this.#context;
    const before = scope.size;
    for (const { subject } of this.#store.unknownOf(AUTOSCALERS.kind)) {
      if (this.#asked.has(subject.uid)) continue;
      this.#asked.add(subject.uid);
      try {
        const { namespace, name } = subject;
        const found = await client.get<KubeObject>(AUTOSCALERS, { namespace, name }, { signal });
        const spec = asRecord((found as KubeObject & { readonly spec?: unknown }).spec);
        const target = asRecord(spec?.scaleTargetRef);
        if (scope.hasWorkload(textOf(target?.kind) ?? '', namespace, textOf(target?.name) ?? ''))
          scope.addUid(subject.uid);
      } catch (error) {
        // One that is gone scales nothing any more.
        if (!isKubeError(error, 'not-found'))
          reportUnreadable(this.#context, 'autoscalers', this.#namespace, error);
      }
    }
    if (scope.size > before) give(this.#store.matching());
  }
}

/** The server, or the user's rights, may know only the older API. */
function isOtherApi(error: unknown): boolean {
  return (['not-found', 'forbidden', 'bad-request'] as const).some((kind) => isKubeError(error, kind));
}

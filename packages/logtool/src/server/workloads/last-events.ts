import type { KubeObject } from '@logtool/kube/src/client.ts';
import { objectOf, textOf } from '../../resolve/pods/read-json.ts';
import type { LastEvent } from './workload-row.ts';

/** A cluster may have hundreds of thousands of events; keeps those of this many objects. */
const KEPT = 20_000;
const MESSAGE_CHARACTERS = 300;

interface Entry extends LastEvent {
  readonly eventUid: string;
  readonly namespace: string | undefined;
}

/** The last event of each object. */
export class LastEvents {
  readonly #byObject = new Map<string, Entry>();

  /** The last event about the object of that UID. */
  of(uid: string): LastEvent | undefined {
    const entry = this.#byObject.get(uid);
    if (entry === undefined) return undefined;
    const { eventUid: _, namespace: __, ...event } = entry;
    return event;
  }

  /** Adds an event; returns the UID of its object if the event is new. */
  put(object: KubeObject): string | undefined {
    const event = object as KubeObject & Readonly<Record<string, unknown>>;
    const about = textOf(objectOf(event.involvedObject)?.uid);
    const at = timeOf(event);
    if (about === undefined || at === undefined) return undefined;
    const before = this.#byObject.get(about);
    if (before !== undefined && before.at > at) return undefined;
    this.#byObject.delete(about);
    this.#byObject.set(about, {
      eventUid: object.metadata.uid,
      namespace: object.metadata.namespace,
      at,
      reason: textOf(event.reason) ?? '',
      message: (textOf(event.message) ?? '').slice(0, MESSAGE_CHARACTERS),
      isWarning: event.type === 'Warning',
    });
    if (this.#byObject.size > KEPT) {
      const [oldest] = this.#byObject.keys();
      if (oldest !== undefined) this.#byObject.delete(oldest);
    }
    return about;
  }

  /** Forgets the events of a namespace, or all; returns the UIDs of the objects they were about. */
  forget(namespace: string | undefined): readonly string[] {
    const entries = [...this.#byObject];
    const gone = entries.filter(([, entry]) => namespace === undefined || entry.namespace === namespace);
    for (const [about] of gone) this.#byObject.delete(about);
    return gone.map(([about]) => about);
  }

  /** The cluster forgot an event; returns the UID of the object it was about when it was its last one. */
  remove(object: KubeObject): string | undefined {
    const event = object as KubeObject & Readonly<Record<string, unknown>>;
    const about = textOf(objectOf(event.involvedObject)?.uid);
    if (about === undefined || this.#byObject.get(about)?.eventUid !== object.metadata.uid) return undefined;
    this.#byObject.delete(about);
    return about;
  }
}

/** When it happened last. Events of the newer API have no lastTimestamp. */
function timeOf(event: KubeObject & Readonly<Record<string, unknown>>): string | undefined {
  return (
    textOf(event.lastTimestamp) ??
    textOf(objectOf(event.series)?.lastObservedTime) ??
    textOf(event.eventTime) ??
    textOf(event.firstTimestamp) ??
    event.metadata.creationTimestamp
  );
}

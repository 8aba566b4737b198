import type { KubeObject } from '@logtool/kube/src/client.ts';
import { asRecord } from '@logtool/kube/src/values/as-record.ts';
import type { Warning } from '../../contract/workload.ts';
import { countOf, textOf } from '../../resolve/pods/read-json.ts';
import type { LastEvent } from './workload-row.ts';

/** Maximum objects to keep events for: a cluster may have hundreds of thousands of events. */
const KEPT = 20_000;
const MESSAGE_CHARACTERS = 300;

interface Entry {
  readonly eventUid: string;
  readonly namespace: string | undefined;
  readonly event: LastEvent;
  readonly firstAt: string;
  readonly count: number;
}

type Json = KubeObject & Readonly<Record<string, unknown>>;

/** The last event of each object, and its last warning. */
export class LastEvents {
  readonly #all = new NewestEntries();
  readonly #warnings = new NewestEntries();

  /** Returns the last event about the object with that UID. */
  of(uid: string): LastEvent | undefined {
    return this.#all.of(uid)?.event;
  }

  /** Returns the last Warning event about the object with that UID. */
  warningOf(uid: string): Omit<Warning, 'isOver'> | undefined {
    const entry = this.#warnings.of(uid);
    if (entry === undefined) return undefined;
    const { at, reason, message } = entry.event;
    return { at, firstAt: entry.firstAt, count: entry.count, reason, message };
  }

  /** Adds an event; returns the UID of its object if the event is new. */
  put(object: KubeObject): string | undefined {
    const event = object as Json;
    const about = textOf(asRecord(event.involvedObject)?.uid);
    const at = timeOf(event);
    if (about === undefined || at === undefined) return undefined;
    const entry = entryOf(event, at);
    const isLast = this.#all.put(about, entry);
    const isLastWarning = entry.event.isWarning && this.#warnings.put(about, entry);
    return isLast || isLastWarning ? about : undefined;
  }

  /** Forgets the events of a namespace, or all; returns the UIDs of their objects. */
  forget(namespace: string | undefined): readonly string[] {
    return [...new Set([...this.#all.forget(namespace), ...this.#warnings.forget(namespace)])];
  }

  /** Removes an event that the cluster deleted; returns the UID of its object if it was the last one. */
  remove(object: KubeObject): string | undefined {
    const event = object as Json;
    const about = textOf(asRecord(event.involvedObject)?.uid);
    if (about === undefined) return undefined;
    const wasLast = this.#all.remove(about, object.metadata.uid);
    const wasLastWarning = this.#warnings.remove(about, object.metadata.uid);
    return wasLast || wasLastWarning ? about : undefined;
  }
}

/** The newest entry of each object. */
class NewestEntries {
  readonly #byObject = new Map<string, Entry>();

  of(uid: string): Entry | undefined {
    return this.#byObject.get(uid);
  }

  /** Adds an entry; returns whether it is the newest. */
  put(about: string, entry: Entry): boolean {
    const before = this.#byObject.get(about);
    if (before !== undefined && before.event.at > entry.event.at) return false;
    this.#byObject.delete(about);
    this.#byObject.set(about, entry);
    if (this.#byObject.size > KEPT) {
      const [oldest] = this.#byObject.keys();
      if (oldest !== undefined) this.#byObject.delete(oldest);
    }
    return true;
  }

  forget(namespace: string | undefined): readonly string[] {
    const gone = [...this.#byObject].filter(
      ([, entry]) => namespace === undefined || entry.namespace === namespace,
    );
    for (const [about] of gone) this.#byObject.delete(about);
    return gone.map(([about]) => about);
  }

  remove(about: string, eventUid: string): boolean {
    return this.#byObject.get(about)?.eventUid === eventUid && this.#byObject.delete(about);
  }
}

function entryOf(event: Json, at: string): Entry {
  return {
    eventUid: event.metadata.uid,
    namespace: event.metadata.namespace,
    event: {
      at,
      reason: textOf(event.reason) ?? '',
      message: (textOf(event.message) ?? '').slice(0, MESSAGE_CHARACTERS),
      isWarning: event.type === 'Warning',
    },
    firstAt: textOf(event.firstTimestamp) ?? textOf(event.eventTime) ?? at,
    count: Math.max(1, countOf(event.count) ?? countOf(asRecord(event.series)?.count) ?? 1),
  };
}

/** Returns when it happened last. Events of the newer API have no lastTimestamp. */
function timeOf(event: Json): string | undefined {
  return (
    textOf(event.lastTimestamp) ??
    textOf(asRecord(event.series)?.lastObservedTime) ??
    textOf(event.eventTime) ??
    textOf(event.firstTimestamp) ??
    event.metadata.creationTimestamp
  );
}

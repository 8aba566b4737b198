import type { KubeObject, ReflectorEvent } from '@logtool/kube/src/client.ts';
import type { LastEvents } from './last-events.ts';
import { readPodFacts, readWorkload } from './read-facts.ts';
import type { Kind } from './watched-kinds.ts';
import type { WorkloadTable } from './workload-table.ts';

export type ObjectEvent = Exclude<ReflectorEvent<KubeObject>, { readonly type: 'state' }>;

/** Puts watched objects into the table: keeps only the facts of each object that rows need. */
export class ObjectIntake {
  readonly #table: WorkloadTable;
  readonly #events: LastEvents;

  constructor(table: WorkloadTable, events: LastEvents) {
    this.#table = table;
    this.#events = events;
  }

  /** Applies an event. `namespace`: the part of the collection that it covers; undefined for all of it. */
  take(kind: Kind, namespace: string | undefined, event: ObjectEvent): void {
    if (event.type === 'snapshot') {
      if (kind !== 'events') this.#dropOthers(kind, namespace, event.objects);
      else if (event.objects.length === 0)
        for (const about of this.#events.forget(namespace)) this.#table.touch(about);
      for (const object of event.objects) this.#put(kind, object);
    } else if (event.type === 'changed') this.#put(kind, event.object);
    else {
      event.type satisfies 'deleted';
      this.#remove(kind, event.object);
    }
  }

  #dropOthers(
    kind: Exclude<Kind, 'events'>,
    namespace: string | undefined,
    objects: readonly KubeObject[],
  ): void {
    const present = new Set(objects.map(({ metadata }) => metadata.uid));
    for (const uid of this.#table.idsOf(kind, namespace)) {
      if (present.has(uid)) continue;
      if (kind === 'pods') this.#table.removePod(uid);
      else this.#table.remove(uid);
    }
  }

  #put(kind: Kind, object: KubeObject): void {
    if (kind === 'pods') this.#table.putPod(readPodFacts(object));
    else if (kind !== 'events') this.#table.put(readWorkload(kind, object));
    else {
      const about = this.#events.put(object);
      if (about !== undefined) this.#table.touch(about);
    }
  }

  #remove(kind: Kind, object: KubeObject): void {
    if (kind === 'pods') this.#table.removePod(object.metadata.uid);
    else if (kind !== 'events') this.#table.remove(object.metadata.uid);
    else {
      const about = this.#events.remove(object);
      if (about !== undefined) this.#table.touch(about);
    }
  }
}

import { NODES } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeObject } from '@logtool/kube/src/client.ts';
import { isKubeError } from '@logtool/kube/src/errors.ts';
import { inParallel } from '@logtool/kube/src/values/in-parallel.ts';
import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { type FactContext, reportUnreadable } from './fact-context.ts';
import { bootIdOf, factsOfNode, heartbeatOf, rebootFact, slimNode } from './facts-of-node.ts';

/** For more nodes than this, one list reads them; otherwise one request each. */
const LIST_ABOVE = 5;
const MAX_REQUESTS = 5;

interface Boot {
  readonly id: string;
  readonly seenAt: Timestamp | undefined;
}

/** The nodes of the pods in view: read once, and with follow watched. */
export class NodeReader {
  readonly #context: FactContext;
  readonly #nodes = new Map<string, KubeObject>();
  readonly #boots = new Map<string, Boot>();

  constructor(context: FactContext) {
    this.#context = context;
  }

  /** Resolves when the nodes are read, or cannot be; with follow, continues until the signal aborts. */
  async run(onRead: () => void): Promise<void> {
    if (this.#context.scope.isConfined) {
      this.#context.notice({ code: 'facts-confined', data: {} });
      return onRead();
    }
    try {
      if (this.#context.follow) await this.#watch(onRead);
      else await this.#readOnce();
    } catch (error) {
      reportUnreadable(this.#context, 'nodes', undefined, error);
    }
    onRead();
  }

  /** More objects are in view. */
  recheck(): void {
    for (const node of this.#nodes.values()) this.#giveFactsOf(node);
  }

  async #readOnce(): Promise<void> {
    const { client, signal, scope } = this.#context;
    const names = [...scope.nodes.keys()];
    if (names.length > LIST_ABOVE) {
      for await (const page of client.list<KubeObject>(NODES, {}, { signal, keep: slimNode }))
        for (const node of page.items) this.#take(node);
      return;
    }
    await inParallel(MAX_REQUESTS, names, async (name) => {
      try {
        this.#take(await client.get<KubeObject>(NODES, { name }, { signal }));
      } catch (error) {
        // The node was removed.
        if (!isKubeError(error, 'not-found')) throw error;
      }
    });
  }

  async #watch(onRead: () => void): Promise<void> {
    const { client, signal } = this.#context;
    for await (const event of client.reflect<KubeObject>(NODES, {}, { signal, keep: slimNode })) {
      if (event.type === 'snapshot') {
        for (const node of event.objects) this.#take(node);
        onRead();
      } else if (event.type === 'changed') this.#take(slimNode(event.object));
      else if (event.type === 'deleted') this.#nodes.delete(event.object.metadata.name);
      else event.type satisfies 'state';
      await this.#context.room();
    }
  }

  #take(node: KubeObject): void {
    this.#nodes.set(node.metadata.name, node);
    this.#giveFactsOf(node);
    const id = bootIdOf(node);
    if (id === undefined) return;
    const before = this.#boots.get(node.metadata.uid);
    const isInView = this.#context.scope.nodes.has(node.metadata.name);
    if (isInView && before?.seenAt !== undefined && before.id !== id)
      this.#context.give([rebootFact(node, id, before.seenAt)]);
    this.#boots.set(node.metadata.uid, { id, seenAt: heartbeatOf(node) });
  }

  #giveFactsOf(node: KubeObject): void {
    const since = this.#context.scope.nodes.get(node.metadata.name);
    if (since !== undefined) this.#context.give(factsOfNode(node, since));
  }
}

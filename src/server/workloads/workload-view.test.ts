import { expect, test } from 'vitest';
import type { WorkloadFrame } from '../../contract/workload.ts';
import { FakeClock } from '../../domain/clock.ts';
import type {
  KubeClient,
  KubeObject,
  ReflectorEvent,
  RequestOptions,
  ResourceType,
} from '../../kube/client.ts';
import { WorkloadFeed } from './workload-feed.ts';
import { WorkloadView } from './workload-view.ts';

/** A client whose Deployments are what it is told, and which has nothing else. */
class Deployments {
  readonly client: KubeClient;
  #push: (event: ReflectorEvent<KubeObject>) => void = () => {};

  constructor(first: readonly KubeObject[]) {
    const reflect = async function* (
      this: Deployments,
      { plural }: ResourceType,
      _query: unknown,
      { signal }: RequestOptions,
    ): AsyncGenerator<ReflectorEvent<KubeObject>> {
      const mine = plural === 'deployments';
      yield { type: 'snapshot', objects: mine ? first : [] };
      while (signal?.aborted !== true) {
        yield await new Promise<ReflectorEvent<KubeObject>>((resolve) => {
          if (mine) this.#push = resolve;
        });
      }
    }.bind(this);
    const cluster = { context: 'test', server: 'https://test', namespace: 'default', user: 'test' };
    this.client = { cluster, reflect } as unknown as KubeClient;
  }

  change(object: KubeObject): void {
    this.#push({ type: 'changed', object });
  }
}

const deployment = (name: string, replicas: number) =>
  ({
    metadata: { name, namespace: 'shop', uid: name, resourceVersion: '1' },
    spec: { replicas },
  }) as unknown as KubeObject;

test('a reader that rests finds the newest state of each row, not its history', async () => {
  const clock = new FakeClock();
  const cluster = new Deployments([deployment('web', 0), deployment('api', 0)]);
  let closed = 0;
  const feed = new WorkloadFeed({
    client: cluster.client,
    clock,
    allowedNamespaces: [],
    onClose: () => closed++,
  });
  let woken = 0;
  const view = new WorkloadView({
    feed,
    namespaces: [],
    isWanted: () => true,
    wake: () => woken++,
    onClose: () => feed.close(),
  });
  await clock.advance(0);
  const take = () => {
    const frames: WorkloadFrame[] = [];
    for (let piece = view.take(); piece !== undefined; piece = view.take()) {
      frames.push(JSON.parse(Buffer.from(piece).toString()) as WorkloadFrame);
    }
    return frames;
  };
  expect(take().map(({ type }) => type)).toEqual(['snapshot', 'synced', 'state']);
  woken = 0;
  for (let replicas = 1; replicas <= 40; replicas++) {
    cluster.change(deployment('web', replicas));
    await clock.advance(50);
  }
  await clock.advance(250);
  // 2.25 seconds: not more often than four times in each.
  expect(woken).toBeLessThanOrEqual(9);
  expect(woken).toBeGreaterThan(1);
  expect(take()).toMatchObject([{ type: 'changes', changed: [{ name: 'web', podsTotal: 40 }], removed: [] }]);
  view.close();
  expect(closed).toBe(1);
  expect(clock.pending).toBe(0);
});

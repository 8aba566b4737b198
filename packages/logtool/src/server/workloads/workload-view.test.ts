import type {
  KubeClient,
  KubeObject,
  ReflectorEvent,
  RequestOptions,
  ResourceType,
} from '@logtool/kube/src/client.ts';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, test } from 'vitest';
import { fakeClient } from '../../../../../test/support/fake-client.ts';
import type { WorkloadFrame } from '../../contract/workload.ts';
import { WorkloadFeed } from './workload-feed.ts';
import { WorkloadView } from './workload-view.ts';

/** A client whose Deployments the test sets; it has nothing else, and its pods come as late as the test wants. */
class Deployments {
  readonly client: KubeClient;
  #push: (event: ReflectorEvent<KubeObject>) => void = () => {};

  constructor(first: readonly KubeObject[], pods: Promise<readonly KubeObject[]> = Promise.resolve([])) {
    const reflect = async function* (
      this: Deployments,
      { plural }: ResourceType,
      _query: unknown,
      { signal }: RequestOptions = {},
    ): AsyncGenerator<ReflectorEvent<KubeObject>> {
      const mine = plural === 'deployments';
      const isPods = plural === 'pods';
      yield { type: 'snapshot', objects: mine ? first : isPods ? await pods : [] };
      while (signal?.aborted !== true) {
        yield await new Promise<ReflectorEvent<KubeObject>>((resolve) => {
          if (mine) this.#push = resolve;
        });
      }
    }.bind(this);
    this.client = fakeClient({ reflect });
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

/** Opens a feed and one view of it. */
function openView(cluster: Deployments) {
  const clock = new FakeClock();
  const counts = { closed: 0, woken: 0 };
  const feed = new WorkloadFeed({
    client: cluster.client,
    clock,
    allowedNamespaces: [],
    onClose: () => counts.closed++,
  });
  const view = new WorkloadView({
    feed,
    namespaces: [],
    isWanted: () => true,
    wake: () => counts.woken++,
    onClose: () => feed.close(),
  });
  const take = () => {
    const frames: WorkloadFrame[] = [];
    for (let piece = view.take(); piece !== undefined; piece = view.take()) {
      frames.push(JSON.parse(Buffer.from(piece).toString()) as WorkloadFrame);
    }
    return frames;
  };
  return { clock, counts, feed, view, take };
}

test('a reader that rests finds the newest state of each row, not its history', async () => {
  const cluster = new Deployments([deployment('web', 0), deployment('api', 0)]);
  const { clock, counts, view, take } = openView(cluster);
  await clock.advance(0);
  expect(take().map(({ type }) => type)).toEqual(['snapshot', 'synced', 'state']);
  counts.woken = 0;
  for (let replicas = 1; replicas <= 40; replicas++) {
    cluster.change(deployment('web', replicas));
    await clock.advance(50);
  }
  await clock.advance(250);
  // 2.25 seconds: at most four times per second.
  expect(counts.woken).toBeLessThanOrEqual(9);
  expect(counts.woken).toBeGreaterThan(1);
  expect(take()).toMatchObject([{ type: 'changes', changed: [{ name: 'web', podsTotal: 40 }], removed: [] }]);
  view.close();
  expect(counts.closed).toBe(1);
  expect(clock.pending).toBe(0);
});

test('rows come before the pods do, marked as partial, and again whole with them', async () => {
  let givePods: (pods: readonly KubeObject[]) => void = () => {};
  const pods = new Promise<readonly KubeObject[]>((resolve) => {
    givePods = resolve;
  });
  const cluster = new Deployments([deployment('web', 2), deployment('api', 1)], pods);
  const { clock, counts, feed, view, take } = openView(cluster);
  await clock.advance(149);
  expect(take()).toEqual([]);
  await clock.advance(1);
  const [early, ...more] = take();
  expect(more).toEqual([]);
  expect(early).toMatchObject({
    type: 'snapshot',
    workloads: [
      { name: 'web', isPartial: true },
      { name: 'api', isPartial: true },
    ],
  });
  // A listener that joins in between sees the same.
  const other = new WorkloadView({
    feed,
    namespaces: [],
    isWanted: (namespace) => namespace === 'elsewhere',
    wake: () => {},
    onClose: () => {},
  });
  expect(other.take()).toBeUndefined();
  counts.woken = 0;
  givePods([
    {
      metadata: { name: 'lone', namespace: 'shop', uid: 'lone', resourceVersion: '1' },
      status: { phase: 'Running' },
    } as unknown as KubeObject,
  ]);
  await clock.advance(0);
  expect(counts.woken).toBeGreaterThan(0);
  const [whole, ...rest] = take();
  expect(rest.map(({ type }) => type)).toEqual(['synced', 'state']);
  if (whole?.type !== 'changes') throw new Error('no changes came');
  expect(whole).toMatchObject({ pods: 1, removed: [] });
  expect(whole.changed.map(({ name, isPartial }) => [name, isPartial])).toEqual([
    ['web', undefined],
    ['api', undefined],
    ['lone', undefined],
  ]);
  other.close();
  view.close();
  expect(clock.pending).toBe(0);
});

import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, test } from 'vitest';
import { createStore } from '../../store/memory-store.ts';
import { findResource } from '../discovery/resources.ts';
import { parseLabelSelector } from './label-selector.ts';
import type { ListOptions } from './list-options.ts';
import { watchLines } from './watch.ts';

const NOTHING: ListOptions = {
  labels: [],
  fields: [],
  resourceVersion: '',
  resourceVersionMatch: '',
  limit: 0,
  continueToken: '',
  sendInitialEvents: undefined,
  allowWatchBookmarks: false,
  timeoutSeconds: 0,
};

interface Line {
  readonly type: string;
  readonly object: {
    readonly kind: string;
    readonly metadata: { readonly resourceVersion: string; readonly labels?: unknown };
    readonly columnDefinitions?: readonly unknown[] | null;
    readonly rows?: readonly { readonly cells: readonly unknown[] }[];
  };
}

function world(options: Partial<ListOptions>, as?: 'Table') {
  const clock = new FakeClock();
  const store = createStore({ clock });
  const type = findResource(store, '', 'v1', 'pods');
  if (type === undefined) throw new Error('no pods');
  const gone = new AbortController();
  const context = { store, clock, floor: 0, signal: gone.signal, expire: new AbortController().signal };
  const start = () => {
    const format = { mediaType: 'json', as, pretty: false } as const;
    const lines = watchLines(context, type, 'shop', { ...NOTHING, ...options }, format, 'Metadata');
    return lines[Symbol.asyncIterator]();
  };
  const create = (labels: Record<string, string>, phase = 'Pending') =>
    store.create('pods', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'quiet', namespace: 'shop', labels },
      spec: { containers: [{ name: 'main' }] },
      status: { phase },
    });
  return { clock, store, gone, start, create };
}

async function next(lines: AsyncIterator<string>): Promise<Line> {
  const step = await lines.next();
  if (step.done === true) throw new Error('the watch ended');
  return JSON.parse(step.value) as Line;
}

test('an object that stops matching is DELETED as it last matched, at the new version', async () => {
  const { store, start, create, gone } = world({ labels: parseLabelSelector('mark=yes') });
  const lines = start();
  const first = next(lines);
  create({ mark: 'yes' });
  expect((await first).type).toBe('ADDED');
  const left = store.update('pods', 'shop', 'quiet', (pod) => {
    pod.metadata.labels = { mark: 'no' };
    return undefined;
  });
  const second = await next(lines);
  expect(second.type).toBe('DELETED');
  expect(second.object.metadata).toMatchObject({
    labels: { mark: 'yes' },
    resourceVersion: left?.metadata.resourceVersion,
  });
  store.update('pods', 'shop', 'quiet', (pod) => {
    pod.metadata.labels = { mark: 'yes' };
    return undefined;
  });
  expect((await next(lines)).type).toBe('ADDED');
  gone.abort();
  expect((await lines.next()).done).toBe(true);
});

test('a field selector on the phase sees a pod come and go', async () => {
  const fields = [{ field: 'status.phase', negated: false, value: 'Running' }];
  const { store, start, create, gone } = world({ fields });
  const lines = start();
  const first = next(lines);
  create({});
  for (const phase of ['Running', 'Succeeded']) {
    store.update('pods', 'shop', 'quiet', (pod) => {
      pod.status = { phase };
      return undefined;
    });
  }
  expect([(await first).type, (await next(lines)).type]).toEqual(['ADDED', 'DELETED']);
  gone.abort();
});

test('a Table watch defines its columns in the first event only', async () => {
  const { store, start, create, gone } = world({}, 'Table');
  const lines = start();
  const first = next(lines);
  create({});
  store.remove('pods', 'shop', 'quiet');
  const [added, deleted] = [await first, await next(lines)];
  expect(added.object.columnDefinitions).toHaveLength(9);
  expect(added.object.rows?.[0]?.cells.slice(0, 3)).toEqual(['quiet', '0/1', 'Pending']);
  expect([deleted.type, deleted.object.kind, deleted.object.columnDefinitions]).toEqual([
    'DELETED',
    'Table',
    null,
  ]);
  gone.abort();
});

test('bookmarks come every minute when something has happened, and the time-out ends the watch', async () => {
  const { clock, store, start } = world({ allowWatchBookmarks: true, timeoutSeconds: 90 });
  const lines = start();
  const first = next(lines);
  store.create('configmaps', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'x', namespace: 'shop' },
  });
  await clock.advance(60_000);
  expect(await first).toMatchObject({
    type: 'BOOKMARK',
    object: { metadata: { resourceVersion: String(store.resourceVersion) } },
  });
  const second = next(lines);
  await clock.advance(28_000);
  expect((await second).type).toBe('BOOKMARK');
  const end = lines.next();
  await clock.advance(2000);
  expect((await end).done).toBe(true);
  expect(clock.pending).toBe(0);
});

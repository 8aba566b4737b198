import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { beforeEach, expect, test } from 'vitest';
import type { Refusal } from '../review/access-reviews.ts';
import type { RunFacts } from '../runs/run-facts.ts';
import { RunList } from '../runs/run-list.ts';
import { unauthorized } from '../status/status.ts';
import { type ListQuery, readListQuery } from './list-query.ts';
import { watchLogs } from './watch-logs.ts';

const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';

let clock: FakeClock;
let list: RunList;
let over: AbortController;
let refuse: (refusal: Refusal) => void;
let refused: Promise<Refusal>;
beforeEach(() => {
  clock = new FakeClock();
  list = new RunList({ clock, maxChanges: 10 });
  over = new AbortController();
  refused = new Promise((resolve) => {
    refuse = resolve;
  });
  put('a', 1);
});

function facts(pod: string, bytes: number): RunFacts {
  const files = [{ name: '0.log', bytes, compressed: false, firstTime: null }];
  return {
    namespace: 'shop',
    pod,
    podUid: '1',
    container: 'app',
    run: 0,
    files,
    lastTime: '2026-11-21T10:00:00.000Z',
  };
}
const put = (pod: string, bytes: number) => list.changeNode('node-1', [facts(pod, bytes)], []);

function queryOf(text: string, accept?: string): ListQuery {
  const query = readListQuery({ namespace: undefined, query: new URLSearchParams(text), accept });
  if ('status' in query) throw new Error(query.status.message);
  return query;
}

interface Event {
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: the object of any event
  readonly object: any;
}

/** Opens a watch whose events `next` reads one after another. */
function opened(text: string, accept?: string) {
  const events = watchLogs(queryOf(text, accept), { list, clock, signal: over.signal, refused });
  return {
    next: async (): Promise<Event | 'end'> => {
      const step = await events.next();
      return step.done === true ? 'end' : JSON.parse(Buffer.from(step.value).toString());
    },
  };
}
const textOf = (event: Event | 'end') =>
  event === 'end' ? event : `${event.type} ${event.object.spec.podName} ${event.object.status.bytes}`;

test.each(['', 'resourceVersion=0', 'sendInitialEvents=true'])(
  'with %j it begins with what there is',
  async (text) => {
    const { next } = opened(text);
    expect(textOf(await next())).toBe('ADDED a 1');
    const waiting = next();
    put('b', 2);
    expect(textOf(await waiting)).toBe('ADDED b 2');
  },
);

test('the end of what there is has a bookmark, if it was asked for', async () => {
  const { next } = opened('sendInitialEvents=true&allowWatchBookmarks=true');
  await next();
  expect(await next()).toEqual({
    type: 'BOOKMARK',
    object: {
      kind: 'ContainerLog',
      apiVersion: 'logtool.dev/v1alpha1',
      metadata: { resourceVersion: list.version, annotations: { 'k8s.io/initial-events-end': 'true' } },
    },
  });
});

test('after a version it has what came later, and only what is selected', async () => {
  const { version } = list;
  put('b', 1);
  put('a', 2);
  const { next } = opened(`resourceVersion=${version}&fieldSelector=spec.podName=a`);
  expect(textOf(await next())).toBe('MODIFIED a 2');
  list.removeNode('node-1');
  expect(textOf(await next())).toBe('DELETED a 2');
});

test('bookmarks come each minute, and a watch ends after the time that it was given', async () => {
  const { next } = opened(`resourceVersion=${list.version}&allowWatchBookmarks=true&timeoutSeconds=90`);
  for (const [afterMs, type] of [
    [60_000, 'BOOKMARK'],
    [30_000, 'BOOKMARK'],
  ] as const) {
    const waiting = next();
    await clock.advance(afterMs);
    expect(await waiting).toMatchObject({ type, object: { metadata: { resourceVersion: list.version } } });
  }
  expect(await next()).toBe('end');
  expect(clock.pending).toBe(0);
});

test('a version that is too old, or none, is an error of its own', async () => {
  const { next } = opened('resourceVersion=1');
  expect(await next()).toMatchObject({
    type: 'ERROR',
    object: { code: 410, reason: 'Expired', message: `too old resource version: 1 (${list.version})` },
  });
  expect(await next()).toBe('end');
  expect(await opened('resourceVersion=x').next()).toMatchObject({ type: 'ERROR', object: { code: 400 } });
});

test('a reader that is too slow for what is kept gets an error, and must list again', async () => {
  const { next } = opened(`resourceVersion=${list.version}`);
  put('b', 1);
  expect(textOf(await next())).toBe('ADDED b 1');
  for (let bytes = 2; bytes < 20; bytes++) put('b', bytes);
  expect(await next()).toMatchObject({ type: 'ERROR', object: { code: 410 } });
});

test('a caller who loses the permission gets an error, and the watch ends', async () => {
  const { next } = opened(`resourceVersion=${list.version}`);
  const waiting = next();
  refuse({ problem: 'denied', status: unauthorized() });
  expect(await waiting).toMatchObject({ type: 'ERROR', object: { code: 401 } });
  expect(await next()).toBe('end');
});

test('a caller who leaves ends it, and no timer stays', async () => {
  const { next } = opened(`resourceVersion=${list.version}`);
  const left = expect(next()).rejects.toBe('left');
  over.abort('left');
  await left;
  expect(clock.pending).toBe(0);
});

test('only the first event of a table has its columns', async () => {
  const { next } = opened('', TABLE);
  expect(await next()).toMatchObject({
    type: 'ADDED',
    object: {
      kind: 'Table',
      columnDefinitions: { length: 8 },
      rows: [{ cells: ['a', 'app', 0, '1', 1, '0s', 'node-1', '1'] }],
    },
  });
  put('a', 2048);
  expect(await next()).toMatchObject({
    object: { columnDefinitions: null, rows: [{ cells: { 3: '2.0Ki' } }] },
  });
});

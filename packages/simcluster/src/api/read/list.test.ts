import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, test } from 'vitest';
import { createStore } from '../../store/memory-store.ts';
import { findResource } from '../discovery/resources.ts';
import { formatContinue } from './continue-token.ts';
import { listPage } from './list.ts';
import type { ListOptions } from './list-options.ts';

const clock = new FakeClock();
const NEVER = new AbortController().signal;

function world() {
  const store = createStore({ clock });
  const type = findResource(store, '', 'v1', 'pods');
  if (type === undefined) throw new Error('no pods');
  const create = (name: string, namespace = 'shop') =>
    store.create('pods', { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace } });
  const list = (options: Partial<ListOptions>, namespace?: string) =>
    listPage(store, clock, type, namespace, { ...NOTHING, ...options }, NEVER);
  return { store, create, list };
}

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

const names = (page: { readonly objects: readonly { readonly metadata: { readonly name: string } }[] }) =>
  page.objects.map((object) => object.metadata.name);

test('later pages show the state of the first one', async () => {
  const { store, create, list } = world();
  for (const name of ['a', 'b', 'c', 'd']) create(name);
  const first = await list({ limit: 2 }, 'shop');
  store.remove('pods', 'shop', 'c');
  create('cc');
  const second = await list({ limit: 2, continueToken: first.next?.token ?? '' }, 'shop');
  expect([names(first), first.next?.remaining]).toEqual([['a', 'b'], 2]);
  expect([names(second), second.next]).toEqual([['c', 'd'], undefined]);
  expect(second.resourceVersion).toBe(first.resourceVersion);
});

test('pages over all namespaces continue after the namespace and the name', async () => {
  const { create, list } = world();
  create('z', 'a');
  create('b', 'b');
  create('a', 'c');
  const seen: string[] = [];
  let token = '';
  do {
    const page = await list({ limit: 1, continueToken: token });
    seen.push(...names(page));
    token = page.next?.token ?? '';
  } while (token !== '');
  expect(seen).toEqual(['z', 'b', 'a']);
});

test('a compacted token is 410 and returns one that continues in the current state', async () => {
  const { store, create, list } = world();
  for (const name of ['a', 'b', 'c']) create(name);
  const first = await list({ limit: 1 }, 'shop');
  create('d');
  store.compact();
  const refused = await list({ limit: 5, continueToken: first.next?.token ?? '' }, 'shop').catch(
    (error) => error,
  );
  expect([refused.code, refused.reason]).toEqual([410, 'Expired']);
  const rest = await list({ limit: 5, continueToken: refused.continueToken }, 'shop');
  expect(names(rest)).toEqual(['b', 'c', 'd']);
});

test('Exact shows a version unchanged', async () => {
  const { store, create, list } = world();
  create('a');
  const version = store.resourceVersion;
  create('b');
  store.remove('pods', 'shop', 'a');
  const page = await list({ resourceVersion: String(version), resourceVersionMatch: 'Exact' }, 'shop');
  expect([names(page), page.resourceVersion]).toEqual([['a'], version]);
  const latest = await list(
    { resourceVersion: String(version), resourceVersionMatch: 'NotOlderThan' },
    'shop',
  );
  expect(names(latest)).toEqual(['b']);
});

test('a token without a start is refused in words', async () => {
  const { list } = world();
  const token = formatContinue({ resourceVersion: 0, start: 'x' }, true);
  await expect(list({ continueToken: token })).rejects.toMatchObject({ code: 400 });
});

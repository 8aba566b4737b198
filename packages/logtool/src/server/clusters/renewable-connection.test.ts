import type { ClusterConnection } from '@logtool/kube/src/connection/cluster-connection.ts';
import { expect, test } from 'vitest';
import { renewableConnection } from './renewable-connection.ts';

function connection(name: string) {
  const seen = { refreshes: 0, isClosed: false };
  const value = {
    context: 'here',
    server: new URL('https://cluster.example'),
    namespace: 'default',
    user: name,
    headers: async () => ({ Authorization: `Bearer ${name}` }),
    refresh: async () => {
      seen.refreshes++;
      return false;
    },
    close: () => {
      seen.isClosed = true;
    },
  } as unknown as ClusterConnection;
  return { value, seen };
}

test('retries with the new credentials what was refused with the old ones', async () => {
  const [old, fresh] = [connection('old'), connection('fresh')];
  const renewable = renewableConnection(old.value);
  const sent = await renewable.headers();
  renewable.renew(fresh.value);
  expect(await renewable.refresh(undefined, sent)).toBe(true);
  expect([old.seen.refreshes, fresh.seen.refreshes]).toEqual([0, 0]);
  const anew = await renewable.headers();
  expect(anew).toEqual({ Authorization: 'Bearer fresh' });
  expect(await renewable.refresh(undefined, anew)).toBe(false);
  expect(fresh.seen.refreshes).toBe(1);
});

test('old connections keep their streams, but not all of them forever', () => {
  const all = Array.from({ length: 6 }, (_, index) => connection(`${index}`));
  const renewable = renewableConnection((all[0] as (typeof all)[number]).value);
  for (const { value } of all.slice(1)) renewable.renew(value);
  expect(all.map(({ seen }) => seen.isClosed)).toEqual([true, true, false, false, false, false]);
  renewable.close();
  expect(all.every(({ seen }) => seen.isClosed)).toBe(true);
});

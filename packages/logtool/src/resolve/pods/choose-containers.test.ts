import { InProcessCluster } from '@logtool/simcluster/test/support/in-process-cluster.ts';
import { expect, test } from 'vitest';
import { planOf, resolveOnce } from '../../../../../test/support/resolve/follow.ts';
import { pod } from '../../../../../test/support/resolve/objects.ts';
import type { SourcePlan } from '../resolve.ts';

/** Returns the containers that sources select in a pod with three, and which others each reports as left out. */
async function chosen(sources: readonly string[], more?: Partial<SourcePlan>) {
  const cluster = new InProcessCluster();
  cluster.put('pods', pod('web-0', { containers: ['app', 'proxy', 'metrics'] }));
  const events = await resolveOnce(cluster.client(), planOf(sources, more));
  return events.flatMap((event) =>
    event.type === 'added' ? [[event.target.container, event.target.hidden]] : [],
  );
}

test('without a container in the argument, those that are left out are known', async () => {
  expect(await chosen(['web-0'])).toEqual([['app', ['proxy', 'metrics']]]);
  expect(await chosen(['pods/*'])).toEqual([['app', ['proxy', 'metrics']]]);
});

test('does not report other containers if the user chose some', async () => {
  expect(await chosen(['pods/web-0/app'])).toEqual([['app', undefined]]);
  expect(await chosen(['pods/web-0/p*'])).toEqual([['proxy', undefined]]);
  const all = ['app', 'proxy', 'metrics'].map((name) => [name, undefined]);
  expect(await chosen(['web-0'], { allContainers: true })).toEqual(all);
});

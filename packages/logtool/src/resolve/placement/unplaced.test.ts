import { InProcessCluster } from '@logtool/simcluster/test/support/in-process-cluster.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { Following, line, planOf, resolveOnce } from '../../../../../test/support/resolve/follow.ts';
import { node, pod, workload } from '../../../../../test/support/resolve/objects.ts';
import { withMessage } from '../../../../../test/support/with-message.ts';
import { noticeText } from '../../cli/messages/notice-text.ts';
import type { SourcePlan } from '../resolve.ts';

const ZONE = 'topology.kubernetes.io/zone';
const REGION = 'topology.kubernetes.io/region';
const ALL = ['region', 'zone', 'os', 'arch'] as const;
const DENIED = 'you lack permission to get nodes';

let cluster: InProcessCluster;

beforeEach(() => {
  cluster = new InProcessCluster();
  cluster.refused.push('get nodes', 'list nodes');
});

function put(name: string, labels: Record<string, string>, nodeName = 'node-0') {
  cluster.put('pods', pod(name, { node: nodeName, labels }));
}

async function resolved(more: Partial<SourcePlan>, sources = ['pods/*']) {
  const events = await resolveOnce(cluster.client(), planOf(sources, more));
  return {
    lines: events.map(line),
    notices: events.flatMap((event) => (event.type === 'notice' ? [noticeText(event)] : [])),
    error: events.flatMap((event) => (event.type === 'failed' ? [withMessage(event.error)] : []))[0],
    placements: events.flatMap((event) => (event.type === 'added' ? [event.target.placement] : [])),
  };
}

describe('columns without the right to read nodes', () => {
  test('region and zone come from the labels of the pods', async () => {
    put('web-0', { [ZONE]: 'a', [REGION]: 'eu' });
    const { placements, notices } = await resolved({ placement: ['zone', 'region'] });
    expect(placements).toEqual([{ node: 'node-0', zone: 'a', region: 'eu' }]);
    expect(notices).toEqual([]);
  });

  test('the notice says what is unknown, and of which pods', async () => {
    for (const name of ['a', 'b', 'c']) put(`web-${name}`, { [ZONE]: name });
    put('old-0', {});
    const { notices, placements } = await resolved({ placement: ALL });
    expect(notices).toEqual([
      `logtool does not know the region, os and arch of all 4 pods, the zone of 1 of 4 pods (shop/old-0): ${DENIED}`,
    ]);
    expect(placements.map(({ zone }) => zone)).toEqual([undefined, 'a', 'b', 'c']);
  });

  test('many pods are counted, one is named', async () => {
    for (let index = 0; index < 9; index++) put(`old-${index}`, {});
    put('web-0', { [ZONE]: 'a' });
    expect((await resolved({ placement: ['zone'] })).notices).toEqual([
      `logtool does not know the zone of 9 of 10 pods (shop/old-0, shop/old-1, shop/old-2 and 6 more): ${DENIED}`,
    ]);
    expect((await resolved({ placement: ['os'] }, ['web-0'])).notices).toEqual([
      `logtool does not know the os of pod shop/web-0: ${DENIED}`,
    ]);
  });

  test('a label that only the author of a pod can have given it says nothing', async () => {
    put('web-0', {
      'kubernetes.io/os': 'plan9',
      'failure-domain.beta.kubernetes.io/zone': 'b',
      [REGION]: '',
    });
    const { placements } = await resolved({ placement: ALL });
    expect(placements).toEqual([{ node: 'node-0' }]);
  });
});

describe('filters without the right to read nodes', () => {
  test('keep the pods whose own labels pass', async () => {
    put('web-0', { [ZONE]: 'a', [REGION]: 'eu' });
    put('web-1', { [ZONE]: 'b', [REGION]: 'eu' });
    const { lines } = await resolved({ zones: ['b'], regions: ['eu'] });
    expect(lines).toEqual(['added shop/web-1/app', 'synced open']);
  });

  test('leave out a pod without a label, with a notice that names it', async () => {
    put('web-0', { [ZONE]: 'a' });
    put('web-1', { [ZONE]: 'b' });
    put('old-0', {});
    const { lines, notices } = await resolved({ zones: ['b'] });
    expect(lines).toEqual(['notice nodes-forbidden', 'added shop/web-1/app', 'synced open']);
    expect(notices).toEqual([
      `logtool leaves out 1 of 3 pods because it does not know its zone (shop/old-0): ${DENIED}`,
    ]);
  });

  test('are an error where no pod has a label', async () => {
    put('old-0', {});
    put('old-1', {});
    const { error } = await resolved({ zones: ['b'], regions: ['eu'] });
    expect(error?.code).toBe('nodes-forbidden');
    expect(error?.what).toBe(`--region, --zone cannot work: ${DENIED}`);
    expect(error?.next).toContain('kubectl auth can-i get nodes');
  });

  test('by os and arch are an error: no pod has such labels', async () => {
    put('web-0', { [ZONE]: 'a', 'kubernetes.io/arch': 'amd64' });
    const { error } = await resolved({ zones: ['a'], arch: ['amd64'] });
    expect(error?.what).toBe(`--arch cannot work: ${DENIED}`);
  });

  test('of a followed source say once that later pods are left out', async () => {
    put('web-0', { [ZONE]: 'a' });
    const following = new Following(cluster.client(), planOf(['pods/*'], { zones: ['a'] }));
    expect(await following.lines(2)).toEqual(['added shop/web-0/app', 'synced open']);
    put('old-0', {});
    put('old-1', {});
    put('web-1', { [ZONE]: 'a' });
    const notice = await following.next();
    expect(notice).toMatchObject({ type: 'notice', code: 'nodes-forbidden' });
    expect(notice?.type === 'notice' && noticeText(notice)).toBe(
      `logtool leaves out pod shop/old-0, and later pods like it, because it does not know their zone: ${DENIED}`,
    );
    expect(await following.line()).toBe('added shop/web-1/app');
    await following.end();
  });

  test('of a followed workload say nothing again of pods that were left out', async () => {
    const root = workload('apps/v1', 'StatefulSet', 'db');
    const other = workload('apps/v1', 'StatefulSet', 'db-2');
    const owned = (name: string, labels: Record<string, string>, owner = root) =>
      cluster.put('pods', pod(name, { node: 'node-0', labels, owner }));
    cluster.put('statefulsets', root);
    owned('db-0', { [ZONE]: 'a' });
    owned('db-1', {});
    const following = new Following(cluster.client(), planOf(['sts/db*'], { zones: ['a'] }));
    expect(await following.lines(3)).toEqual([
      'notice nodes-forbidden',
      'added shop/db-0/app',
      'synced open',
    ]);
    // With another root, all pods are checked again.
    owned('db-2-0', { [ZONE]: 'a' }, other);
    cluster.put('statefulsets', other);
    expect(await following.line()).toBe('added shop/db-2-0/app');
    await following.end();
  });
});

test('a node that may be read goes before the labels of a pod, which stand in for one that is gone', async () => {
  cluster.refused.length = 0;
  cluster.put('nodes', node('node-0', { [ZONE]: 'a' }));
  put('web-0', { [ZONE]: 'other', [REGION]: 'eu' });
  put('web-1', { [ZONE]: 'c' }, 'gone');
  const { placements, notices } = await resolved({ placement: ['zone', 'region'] });
  expect(placements).toEqual([
    { node: 'node-0', zone: 'a', region: 'eu' },
    { node: 'gone', zone: 'c' },
  ]);
  expect(notices).toEqual([]);
});

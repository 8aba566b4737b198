import { DEPLOYMENTS, JOBS, PODS } from '@logtool/kube/src/builtin-resources.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ClusterUnderTest, openCluster } from '../../support/conformance/cluster.ts';
import { COUNTED_RUNS, container, deployment, job, pod, podSpec } from './pods.ts';
import { count, counter, finished, server, slowCounter } from './scripts.ts';

let cluster: ClusterUnderTest;

const running = (name: string) =>
  cluster.until(PODS, name, (seen) => seen.status?.containerStatuses?.[0]?.state.running !== undefined);

beforeAll(async () => {
  cluster = await openCluster();
}, 300_000);

afterAll(() => cluster?.close());

const finishedPod = (name: string, lines: number) => finished(cluster, name, counter(lines));
const logs = (...args: readonly string[]) => cluster.logtool(['logs', '-n', cluster.namespace, ...args]);

test('head, tail and all give the lines of a finished pod', async () => {
  await finishedPod('counted', 300);
  expect((await logs('counted', '--all', '--raw')).lines).toEqual(count(300));
  expect((await logs('counted', '--raw')).lines).toEqual(count(300).slice(-10));
  expect((await logs('counted', '--raw', '--tail=37')).lines).toEqual(count(300).slice(-37));
  expect((await logs('counted', '--raw', '--head=37')).lines).toEqual(count(300).slice(0, 37));
}, 300_000);

test('walking the pages forward and backward gives every line once', async () => {
  await finishedPod('paged', 100);
  const walk = async (first: readonly string[], flag: '--after' | '--before') => {
    const pages: (readonly string[])[] = [];
    let extra: readonly string[] = first;
    while (pages.length <= 100) {
      const page = await logs('paged', '--raw', '--with-cursors', ...extra);
      expect(page.exitCode, page.stderr).toBe(0);
      pages.push(page.lines);
      const cursor = new RegExp(`${flag} (\\S+) ---`).exec(page.stderr)?.[1];
      if (cursor === undefined) return pages;
      extra = [flag === '--after' ? '--head=17' : '--tail=17', `${flag}=${cursor}`];
    }
    throw new Error('the pages do not end');
  };
  expect((await walk(['--head=17'], '--after')).flat()).toEqual(count(100));
  expect((await walk(['--tail=17'], '--before')).toReversed().flat()).toEqual(count(100));
}, 300_000);

test('the log of the run before a restart comes first', async () => {
  const runs = [{ lines: ['first run'], exit: { code: 1 } }, { lines: ['second run'] }];
  const app = container('app', { runs }, cluster.pods, COUNTED_RUNS.container);
  await cluster.create(pod('restarts', podSpec(cluster.pods, [app], COUNTED_RUNS.pod)));
  await cluster.until(PODS, 'restarts', (seen) => {
    const status = seen.status?.containerStatuses?.[0];
    return status?.restartCount === 1 && status.state.running !== undefined;
  });
  const shown = async (...args: string[]) => (await logs('restarts', '--all', '--raw', ...args)).lines;
  expect(await shown()).toEqual(['first run', 'second run']);
  expect(await shown('--previous=no')).toEqual(['second run']);
  expect(await shown('--previous=only')).toEqual(['first run']);
}, 300_000);

test('following a job prints each line once, in order, and ends with it', async () => {
  const spec = podSpec(cluster.pods, [container('app', slowCounter(20), cluster.pods)], {
    restartPolicy: 'Never',
  });
  await cluster.create(job('counting', spec));
  const followed = await logs('jobs/counting', '--all', '--follow', '--raw');
  expect(followed.exitCode, followed.stderr).toBe(0);
  expect(followed.lines).toEqual(count(20));
  await cluster.until(JOBS, 'counting', (seen) => seen.status?.succeeded === 1);
}, 300_000);

test('the records of a deployment are one list in time order', async () => {
  const spec = podSpec(cluster.pods, [container('app', server(50), cluster.pods)]);
  await cluster.create(deployment('merged', 2, spec));
  await cluster.until(DEPLOYMENTS, 'merged', (seen) => seen.status?.readyReplicas === 2);
  // Ready means that containers run, not that they have printed; their last lines prove that.
  let result = await logs('deployments/merged', '--all', '--columns=timestamp,pod', '--hide-header');
  while (result.lines.filter((line) => line.endsWith('line 50')).length < 2) {
    result = await logs('deployments/merged', '--all', '--columns=timestamp,pod', '--hide-header');
  }
  const times = result.lines.map((line) => line.slice(0, 30));
  expect(times).toEqual(times.toSorted());
  const pods = new Set(result.lines.map((line) => line.split(/ +/)[1] ?? ''));
  expect(pods.size).toBe(2);
  for (const name of pods) {
    const own = result.lines.filter((line) => line.includes(name));
    expect(own.map((line) => line.split('  ').at(-1)?.trim())).toEqual(count(50));
  }
}, 300_000);

test('init containers are read with all containers, and first', async () => {
  const spec = podSpec(cluster.pods, [container('app', { lines: ['from app'] }, cluster.pods)], {
    initContainers: [container('prepare', { lines: ['from prepare'], exit: {} }, cluster.pods)],
  });
  await cluster.create(pod('prepared', spec));
  await running('prepared');
  expect((await logs('prepared', '--all', '--raw', '--all-containers')).lines).toEqual([
    'from prepare',
    'from app',
  ]);
  expect((await logs('prepared', '--all', '--raw')).lines).toEqual(['from app']);
}, 300_000);

test('a pod that does not exist, a wrong container and a waiting container each say so', async () => {
  // The domain .invalid is reserved (RFC 2606): no registry answers there.
  const absentImage = { ...cluster.pods, image: 'registry.invalid/absent:1', imagePullPolicy: undefined };
  const bad = podSpec(absentImage, [container('app', { lines: ['never'], exit: {} }, absentImage)]);
  await cluster.create(pod('bad-image', bad));
  const absent = await logs('absent');
  expect(absent.exitCode).toBe(1);
  expect(absent.stderr).toContain('absent');
  await finishedPod('one-container', 1);
  const wrong = await logs('pods/one-container/nope');
  expect(wrong.exitCode).toBe(1);
  expect(wrong.stderr).toContain('app');
  const waiting = await logs('bad-image');
  expect(waiting.stdout.toString()).toBe('');
  expect(waiting.stderr).toContain('bad-image');
}, 300_000);

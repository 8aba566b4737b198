import { DEPLOYMENTS, PODS } from '@logtool/kube/src/builtin-resources.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ClusterUnderTest, openCluster } from '../../support/conformance/cluster.ts';
import { COUNTED_RUNS, container, deployment, pod, podSpec } from './pods.ts';
import type { Run } from './script-of.ts';
import { count, counted, counter, inOrder, numbersByPod, ticker } from './scripts.ts';

const MERGE = 'application/merge-patch+json';
const BY_POD = ['--follow', '--all', '--columns=pod', '--hide-header'];
let cluster: ClusterUnderTest;

beforeAll(async () => {
  cluster = await openCluster();
}, 300_000);

afterAll(() => cluster?.close());

const follow = (...args: readonly string[]) => cluster.follow(['logs', '-n', cluster.namespace, ...args]);
const patch = (name: string, change: unknown) =>
  cluster.client.patch(DEPLOYMENTS, { namespace: cluster.namespace, name }, MERGE, change);

test('following continues through scaling, a new version and a deleted pod, and loses and repeats nothing', async () => {
  const spec = podSpec(cluster.pods, [container('app', ticker, cluster.pods)]);
  await cluster.create(deployment('lively', 1, spec));
  const view = follow('deployments/lively', ...BY_POD);
  const speaking = (rows: readonly string[]) =>
    [...numbersByPod(rows)].filter(([, numbers]) => numbers.length >= 5).map(([name]) => name);
  await view.until((rows) => speaking(rows).length === 1);
  await patch('lively', { spec: { replicas: 3 } });
  await view.until((rows) => speaking(rows).length === 3);
  await patch('lively', { spec: { template: { metadata: { annotations: { version: '2' } } } } });
  await view.until((rows) => speaking(rows).length >= 6);
  const [, , , last = ''] = speaking(view.lines);
  await cluster.client.delete(PODS, { namespace: cluster.namespace, name: last });
  const before = speaking(view.lines).length;
  await view.until((rows) => speaking(rows).length > before);
  expect(await view.stop(), view.stderr).toBe(130);
  expect(view.stderr).not.toMatch(/error|missing/);
  for (const [name, numbers] of numbersByPod(view.lines)) expect(numbers, name).toEqual(inOrder(numbers));
}, 600_000);

test('following a container that crashes again and again shows every run whole', async () => {
  const runs = [1, 2, 3, 4].map((n) => ({
    lines: [{ text: `run ${n} line {n}`, repeat: 3 }],
    exit: { code: 1 },
  }));
  const app = container('app', { runs }, cluster.pods, COUNTED_RUNS.container);
  const spec = podSpec(cluster.pods, [app], COUNTED_RUNS.pod);
  const view = follow('--selector=crash=yes', '--follow', '--all', '--raw');
  // If a pod crashes before the program lists it, one run fewer is visible.
  await view.until((_, stderr) => stderr.includes('waiting for some'));
  await cluster.create(pod('crashing', spec, { crash: 'yes' }));
  await view.until((lines) => lines.includes('run 3 line 3'));
  expect(await view.stop()).toBe(130);
  const expected = [1, 2, 3].flatMap((n) => [1, 2, 3].map((line) => `run ${n} line ${line}`));
  expect(view.lines.slice(0, 9)).toEqual(expected);
}, 600_000);

test('following a pod that is still being prepared begins with its first line and ends with it', async () => {
  const spec = podSpec(cluster.pods, [container('app', counter(20), cluster.pods)], {
    restartPolicy: 'Never',
    initContainers: [
      container('prepare', { lines: [{ text: 'prepared', after: '2s' }], exit: {} }, cluster.pods),
    ],
  });
  await cluster.create(pod('prepares', spec));
  const [own, all] = [
    follow('prepares', '--follow', '--all', '--raw'),
    follow('prepares', '--follow', '--all', '--raw', '--all-containers'),
  ];
  expect(await own.ended, own.stderr).toBe(0);
  expect(own.lines).toEqual(count(20));
  expect(await all.ended, all.stderr).toBe(0);
  expect(all.lines).toEqual(['prepared', ...count(20)]);
}, 300_000);

test('following from now on shows new lines, and no earlier ones', async () => {
  await cluster.create(pod('ticking', podSpec(cluster.pods, [container('app', ticker, cluster.pods)])));
  const first = follow('ticking', '--follow', '--all', '--raw');
  await first.until((lines) => lines.length >= 10);
  await first.stop();
  const view = follow('ticking', '--follow', '--tail=0', '--raw');
  await view.until((lines) => lines.length >= 10);
  await view.stop();
  const numbers = view.lines.map((line) => Number(line.split(' ')[1]));
  const [start = 0] = numbers;
  expect(start).toBeGreaterThan(10);
  expect(numbers).toEqual(numbers.map((_, index) => start + index));
}, 300_000);

test('following with a filter shows every match, and only matches', async () => {
  const run: Run = { lines: [counted(200), { text: 'line 201', after: '1s' }], exit: {} };
  const spec = podSpec(cluster.pods, [container('app', run, cluster.pods)], { restartPolicy: 'Never' });
  await cluster.create(pod('filtered', spec));
  const view = follow('filtered', '--follow', '--all', '--raw', '--grep=1$', '--exclude=line 5', '--force');
  expect(await view.ended, view.stderr).toBe(0);
  expect(view.lines).toEqual(count(201).filter((line) => line.endsWith('1') && !line.startsWith('line 5')));
}, 300_000);

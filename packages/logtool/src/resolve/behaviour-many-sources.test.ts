import type { KubeClient } from '@logtool/kube/src/client.ts';
import { onAbort } from '@logtool/kube/src/transport/on-abort.ts';
import { InProcessCluster } from '@logtool/simcluster/test/support/in-process-cluster.ts';
import { beforeEach, expect, test } from 'vitest';
import { planOf } from '../../../../test/support/resolve/follow.ts';
import { namespace, pod } from '../../../../test/support/resolve/objects.ts';
import { withMessage } from '../../../../test/support/with-message.ts';
import type { ResolveEvent } from '../domain/resolve-event.ts';
import { resolveSources } from './resolve-sources.ts';

const MANY = 256;
const sources = Array.from({ length: MANY }, (_, index) => `absent-${index}`);
const turn = () => new Promise((resolve) => setImmediate(resolve));

let cluster: InProcessCluster;
let abort: AbortController;
beforeEach(() => {
  cluster = new InProcessCluster();
  abort = new AbortController();
});

function start(client: KubeClient, given: readonly string[]): AsyncIterator<ResolveEvent> {
  const { signal } = abort;
  return resolveSources(client, planOf(given), { follow: false, signal })[Symbol.asyncIterator]();
}

async function errorsOf(given: readonly string[]) {
  const { signal } = abort;
  const errors = [];
  for await (const event of resolveSources(cluster.client(), planOf(given), { follow: false, signal }))
    if (event.type === 'failed') errors.push(withMessage(event.error));
  return errors;
}

function asked(verb: string): readonly string[] {
  return cluster.requests.filter((request) => request.startsWith(verb));
}

test('the sources of one resolution begin a few in a turn of the event loop', async () => {
  const first = start(cluster.client(), sources).next();
  const counts: number[] = [];
  for (let turns = 0; turns < MANY; turns++) {
    counts.push(asked('get pods').length);
    await turn();
  }
  await first;
  expect(asked('get pods')).toHaveLength(MANY);
  const steps = counts.map((count, index) => count - (counts[index - 1] ?? 0));
  expect(Math.max(...steps)).toBeLessThanOrEqual(8);
});

test('at most 64 sources are resolved at once, and none begins after the reader left', async () => {
  let begun = 0;
  const client: KubeClient = {
    ...cluster.client(),
    get: (_type, _ref, options) =>
      new Promise((_, reject) => {
        begun++;
        onAbort(options?.signal, () => reject(options?.signal?.reason));
      }),
  };
  const first = start(client, sources).next();
  for (let turns = 0; turns < MANY; turns++) await turn();
  expect(begun).toBe(64);
  abort.abort(new Error('the view was closed'));
  expect((await first).done).toBe(true);
  for (let turns = 0; turns < MANY; turns++) await turn();
  expect(begun).toBe(64);
});

test('each of a few missing sources gets suggestions, whatever the order of the answers', async () => {
  cluster.put('namespaces', namespace('shop'));
  cluster.put('pods', pod('absent-x'));
  const errors = await errorsOf(sources.slice(0, 8));
  expect(errors.map(({ next }) => next?.includes('did you mean'))).toEqual(Array(8).fill(true));
});

test('of many missing sources, lists names for only the first three', async () => {
  cluster.put('namespaces', namespace('shop'));
  cluster.put('pods', pod('absent-x'));
  const errors = await errorsOf(sources.slice(0, 9));
  expect(asked('list pods')).toHaveLength(3);
  expect(errors.map(({ code }) => code)).toEqual(Array(9).fill('source-not-found'));
  expect(errors.map(({ next }) => next?.includes('did you mean'))).toEqual([
    ...Array(3).fill(true),
    ...Array(6).fill(false),
  ]);
  expect(errors.map(({ why }) => why)).toEqual([
    ...Array(3).fill('the pods are: absent-x'),
    ...Array(6).fill(undefined),
  ]);
});

test('of many unknown kinds, suggests those of the cluster for only the first three', async () => {
  const rollouts = { group: 'argoproj.io', version: 'v1', plural: 'rollouts', singular: 'rollout' };
  const rest = { kind: 'Rollout', shortNames: [], namespaced: true, verbs: ['get', 'list', 'watch'] };
  cluster.types.push({ ...rollouts, ...rest });
  const errors = await errorsOf([
    'rolloutk/a',
    'rolloutx/a',
    'rollouty/a',
    'rolloutz/a',
    'rolloutv/a',
    'rolloutw/a',
    'rolloutq/a',
    'rolloutj/a',
    'podz/a',
  ]);
  expect(errors.map(({ code }) => code)).toEqual(Array(9).fill('unknown-kind'));
  const suggested = errors.map(({ next }) => next?.startsWith('did you mean rollout'));
  expect(suggested).toEqual([...Array(3).fill(true), ...Array(6).fill(false)]);
  // Suggestions from what every cluster has cost no request.
  expect(errors[8]?.next).toContain('did you mean pod');
});

import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { run } from '@logtool/logtool/src/cli/run.ts';
import type { SimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { capture } from '../../support/cli/capture.ts';
import { podNames, SMALL_REPLICAS, startBigCluster } from './big-cluster.ts';

let cluster: SimCluster;
let small: readonly string[];

beforeAll(async () => {
  cluster = await startBigCluster();
  small = podNames(cluster, 'team-1', 'few-');
});
afterAll(() => cluster?.close());

/** Returns one command's requests to the cluster, in order. */
async function requestsOf(...argv: string[]): Promise<readonly string[]> {
  const before = cluster.requests.length;
  const { context } = capture(['logs', '--kubeconfig', cluster.kubeconfig, ...argv], {
    overrides: { clock: systemClock },
  });
  expect(await run(context)).toBe(0);
  return cluster.requests.slice(before);
}

const isLog = (request: string) => /\/log\?/.test(request);
/** Sorts concurrent requests, because they arrive over several connections. */
const atOnce = (...requests: string[]) => requests.sort();
/** Returns the requests other than logs; masks the hash in an owner's name. */
const resolving = (requests: readonly string[]) =>
  requests
    .filter((request) => !isLog(request))
    .map((request) => request.replace(/(replicasets\/few)-\w+/, '$1-HASH'));
const PODS = '/api/v1/namespaces/team-1/pods';
const APPS = '/apis/apps/v1/namespaces/team-1';

test('the pods of one Deployment among 5,000 are asked for by its selector, in its namespace', async () => {
  const requests = await requestsOf('deployments/few', '--tail=1');
  const [deployment, ...others] = resolving(requests);
  expect(deployment).toBe(`GET ${APPS}/deployments/few`);
  expect(atOnce(...others)).toEqual([
    `GET ${PODS}?labelSelector=app.kubernetes.io%2Fname%3Dfew&limit=500`,
    `GET ${APPS}/replicasets?labelSelector=app.kubernetes.io%2Fname%3Dfew&limit=500`,
  ]);
  expect(requests.filter(isLog)).toHaveLength(SMALL_REPLICAS);
});

test('a Deployment of a thousand pods is listed in pages', async () => {
  const requests = resolving(await requestsOf('deployments/web', '--node=a-1', '--tail=1'));
  const [deployment, ...others] = requests.map((request) =>
    request.replace(/continue=[^&]+/, 'continue=TOKEN'),
  );
  expect(deployment).toBe(`GET ${APPS}/deployments/web`);
  expect(atOnce(...others)).toEqual([
    `GET ${PODS}?labelSelector=app.kubernetes.io%2Fname%3Dweb&limit=500`,
    `GET ${PODS}?labelSelector=app.kubernetes.io%2Fname%3Dweb&limit=500&continue=TOKEN`,
    `GET ${APPS}/replicasets?labelSelector=app.kubernetes.io%2Fname%3Dweb&limit=500`,
  ]);
});

test('a StatefulSet owns its pods itself', async () => {
  const namespace = '/namespaces/team-2';
  expect(resolving(await requestsOf('-n', 'team-2', 'statefulsets/db', '--tail=1'))).toEqual([
    `GET /apis/apps/v1${namespace}/statefulsets/db`,
    `GET /api/v1${namespace}/pods?labelSelector=app.kubernetes.io%2Fname%3Ddb&limit=500`,
  ]);
});

test('pods by a label are one request, narrowed by the server', async () => {
  expect(resolving(await requestsOf('-l', 'app.kubernetes.io/name=few', '--tail=1'))).toEqual([
    `GET ${PODS}?labelSelector=app.kubernetes.io%2Fname%3Dfew&limit=500`,
  ]);
});

test('a pod by its name is one request, and its last lines are one more, asked for beside it', async () => {
  const [pod = ''] = small;
  const at = `GET ${PODS}/${pod}`;
  const log = `${at}/log?timestamps=true&tailLines=77`;
  expect(atOnce(...(await requestsOf(`pods/${pod}`, '--tail=10')))).toEqual([at, log]);
  expect(atOnce(...(await requestsOf(pod, '--tail=10')))).toEqual([at, log]);
});

test('raw, nothing but the pod is asked for beside its tail, or before the whole log', async () => {
  const [pod = ''] = small;
  const at = `GET ${PODS}/${pod}`;
  expect(atOnce(...(await requestsOf(pod, '--tail=10', '--raw')))).toEqual([at, `${at}/log?tailLines=10`]);
  const [first, second] = await requestsOf(pod, '--all', '--raw');
  expect([first, second]).toEqual([at, `${at}/log?container=app`]);
});

/** Counts pages, merging equal requests. */
function pagesOf(requests: readonly string[]): ReadonlyMap<string, number> {
  const pages = new Map<string, number>();
  for (const request of requests) {
    const first = request.replace(/&continue=.*/, '');
    pages.set(first, (pages.get(first) ?? 0) + 1);
  }
  return pages;
}

test('all of a kind in one namespace: only the pods of that namespace, in pages', async () => {
  const requests = resolving(await requestsOf('-n', 'team-2', 'statefulsets/*', '--tail=1'));
  expect(pagesOf(requests)).toEqual(
    new Map([
      ['GET /apis/apps/v1/namespaces/team-2/statefulsets?limit=500', 1],
      ['GET /api/v1/namespaces/team-2/pods?limit=500', 2],
    ]),
  );
});

test('all of a kind in all namespaces: no selector has their pods, so all are listed, each page once', async () => {
  const requests = resolving(await requestsOf('*:statefulsets/*', '--tail=1'));
  expect(pagesOf(requests)).toEqual(
    new Map([
      ['GET /apis/apps/v1/statefulsets?limit=500', 1],
      ['GET /api/v1/pods?limit=500', 10],
    ]),
  );
});

test('one name in all namespaces: pods by the selector that those of the name have', async () => {
  const requests = resolving(await requestsOf('*:deployments/few', '--tail=1'));
  expect(requests).toEqual([
    'GET /apis/apps/v1/deployments?fieldSelector=metadata.name%3Dfew&limit=500',
    'GET /api/v1/pods?labelSelector=app.kubernetes.io%2Fname%3Dfew&limit=500',
    `GET ${APPS}/replicasets/few-HASH`,
  ]);
});

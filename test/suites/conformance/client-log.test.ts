import { PODS } from '@logtool/kube/src/builtin-resources.ts';
import type { LogQuery } from '@logtool/kube/src/client.ts';
import { parseTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ClusterUnderTest, openCluster } from '../../support/conformance/cluster.ts';
import { container, pod, podSpec } from './pods.ts';
import type { Run } from './script-of.ts';
import { count, counted, finished } from './scripts.ts';

let cluster: ClusterUnderTest;

beforeAll(async () => {
  cluster = await openCluster();
}, 300_000);

afterAll(() => cluster?.close());

type Asked = Omit<LogQuery, 'namespace'>;

async function read(query: Asked): Promise<string> {
  const { body } = await cluster.client.log({ namespace: cluster.namespace, ...query });
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');

test('a log is given by lines, by bytes, by time and with stamps', async () => {
  await finished(cluster, 'asked', {
    lines: [counted(10), { text: 'line 11', after: '3s' }, 'line 12'],
    exit: {},
  });
  const whole = text(count(12));
  expect(await read({ pod: 'asked' })).toBe(whole);
  expect(await read({ pod: 'asked', container: 'app' })).toBe(whole);
  expect(await read({ pod: 'asked', tailLines: 3 })).toBe(text(count(12, 10)));
  expect(await read({ pod: 'asked', tailLines: 0 })).toBe('');
  expect(await read({ pod: 'asked', limitBytes: 10 })).toBe(whole.slice(0, 10));
  expect(await read({ pod: 'asked', sinceSeconds: 3600 })).toBe(whole);
  const stamped = (await read({ pod: 'asked', timestamps: true })).trimEnd().split('\n');
  expect(stamped.map((line) => line.slice(line.indexOf(' ') + 1))).toEqual(count(12));
  const stamps = stamped.map((line) => line.slice(0, line.indexOf(' ')));
  expect(stamps).toEqual(stamps.toSorted());
  // Whole seconds: three of them lie between line 10 and line 11.
  const sinceTime = parseTimestamp(stamps[10] ?? '');
  expect(await read({ pod: 'asked', sinceTime })).toBe(text(count(12, 11)));
  expect(await read({ pod: 'asked', sinceTime, tailLines: 1 })).toBe(text(count(12, 12)));
}, 300_000);

test('a followed log comes while it is written, and ends with its container', async () => {
  const run: Run = { lines: [counted(5), { text: 'late', after: '2s' }], exit: {} };
  const spec = podSpec(cluster.pods, [container('app', run, cluster.pods)], { restartPolicy: 'Never' });
  await cluster.create(pod('followed', spec));
  await cluster.until(PODS, 'followed', (seen) => {
    const state = seen.status?.containerStatuses?.[0]?.state;
    return state?.running !== undefined || state?.terminated !== undefined;
  });
  expect(await read({ pod: 'followed', follow: true })).toBe(text([...count(5), 'late']));
}, 300_000);

test('closing a followed log early lets go of it', async () => {
  const spec = podSpec(cluster.pods, [
    container('app', { lines: [{ text: 'tick', repeat: 1_000_000, after: '0.1s' }] }, cluster.pods),
  ]);
  await cluster.create(pod('endless', spec));
  await cluster.until(PODS, 'endless', (seen) => seen.status?.phase === 'Running');
  const stop = new AbortController();
  const query = { namespace: cluster.namespace, pod: 'endless', follow: true };
  const { body } = await cluster.client.log(query, { signal: stop.signal });
  let bytes = 0;
  const reading = (async () => {
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes >= 20) stop.abort(new Error('enough'));
    }
  })();
  await expect(reading).rejects.toThrow('enough');
}, 300_000);

test('distinguishes a missing pod, container and previous run', async () => {
  await finished(cluster, 'single', { lines: ['once'], exit: {} });
  await expect(read({ pod: 'nobody' })).rejects.toMatchObject({
    kind: 'not-found',
    message: 'pods "nobody" not found',
  });
  await expect(read({ pod: 'single', container: 'nope' })).rejects.toMatchObject({ kind: 'bad-request' });
  await expect(read({ pod: 'single', previous: true })).rejects.toMatchObject({ kind: 'bad-request' });
}, 300_000);

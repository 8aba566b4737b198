import { expect, test } from 'vitest';
import { loadRecording, replay, wholeRecordings } from '../../../test/support/tls-server/recorded.ts';
import { passTime, startClient } from '../../../test/support/tls-server/start-client.ts';
import { PODS } from './builtin-resources.ts';
import type { KubeClient, RequestOptions, WatchEvent } from './client.ts';
import { KubeError } from './errors.ts';
import { kindOfStatus } from './failure/status.ts';

const WEB = { namespace: 'shop', name: 'web' };

const all = ['errors', 'rbac', 'list', 'watch'].flatMap(wholeRecordings);
// The client never asks for YAML, so it never gets a Status in that form.
const failures = all.filter(
  (name) => loadRecording(name).response.status >= 400 && name !== 'watch/yaml-accept',
);
const lists = wholeRecordings('list').filter((name) => {
  const { response } = loadRecording(name);
  return response.status === 200 && /"kind":\s*"\w*List"/.test((response.body ?? '').slice(0, 200));
});
const watches = wholeRecordings('watch').filter((name) => {
  const { response, request } = loadRecording(name);
  const json = /json/.test(response.headers['Content-Type'] ?? response.headers['content-type'] ?? '');
  return (
    response.status === 200 && json && !/Table/.test(JSON.stringify(request)) && !/single-object/.test(name)
  );
});

test('there are recordings of each kind to replay', () => {
  expect(failures.length).toBeGreaterThan(60);
  expect(lists.length).toBeGreaterThan(20);
  expect(watches.length).toBeGreaterThan(15);
});

test.each(failures)('the failure %s is thrown with the words of the server', async (name) => {
  const recording = loadRecording(name);
  const { status, body = '' } = recording.response;
  const { client, clock } = await startClient(replay(recording));
  const error = await passTime(clock, client.get(PODS, WEB)).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(KubeError);
  const parsed: { message?: string; reason?: string; code?: number } = body.startsWith('{')
    ? JSON.parse(body)
    : {};
  expect(error).toMatchObject({ kind: kindOfStatus(status), status });
  if (parsed.message !== undefined) {
    expect(error).toMatchObject({ message: parsed.message, reason: parsed.reason });
  } else {
    expect((error as KubeError).message).toBe(
      body.trim() || `the server answered ${status} without a message`,
    );
  }
});

test.each(lists)('the list %s gives its objects', async (name) => {
  const recording = loadRecording(name);
  const body = JSON.parse(recording.response.body ?? '');
  // A recording holds one page. Answer the next request with an empty one.
  const { client, server } = await startClient((request, response) => {
    if (server.requests.length === 1) replay(recording)(request, response);
    else response.end(JSON.stringify({ metadata: { resourceVersion: '1' }, items: [] }));
  });
  const pages = [];
  for await (const page of client.list(PODS, { namespace: 'shop' })) pages.push(page);
  expect(pages[0]?.resourceVersion).toBe(body.metadata.resourceVersion);
  expect(pages[0]?.items.map((item) => item.metadata)).toEqual(
    body.items.map((item: { metadata: unknown }) => item.metadata),
  );
  expect(pages.length).toBe(body.metadata.continue === undefined ? 1 : 2);
});

test.each(watches)('the watch %s gives its events', async (name) => {
  const recording = loadRecording(name);
  const lines = (recording.response.body ?? '').split('\n').filter((line) => line !== '');
  const events: { type: string; object: { code?: number; message?: string } }[] = lines.map((line) =>
    JSON.parse(line),
  );
  const failure = events.find((event) => event.type === 'ERROR');
  const { client } = await startClient(replay(recording));
  const { seen, error } = await collect(client);
  expect(seen.map((event) => event.type)).toEqual(
    events.filter((event) => event !== failure).map((event) => event.type),
  );
  for (const [i, event] of seen.entries()) {
    if (event.type !== 'BOOKMARK') expect(event.object).toEqual(events[i]?.object);
  }
  if (failure === undefined) expect(error).toBeUndefined();
  else expect(error).toMatchObject({ status: failure.object.code, message: failure.object.message });
});

async function collect(client: KubeClient, options?: RequestOptions) {
  const seen: WatchEvent<{ metadata: { name: string; uid: string; resourceVersion: string } }>[] = [];
  try {
    const query = { namespace: 'lab', resourceVersion: '1' };
    for await (const event of client.watch(PODS, query, options)) seen.push(event);
  } catch (error) {
    return { seen, error };
  }
  return { seen, error: undefined };
}

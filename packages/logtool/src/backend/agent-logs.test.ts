import type { LogQuery } from '@logtool/kube/src/client.ts';
import { KubeError } from '@logtool/kube/src/errors.ts';
import { expect, test } from 'vitest';
import { target } from '../../../../test/support/cli/fake-services.ts';
import { fakeClient } from '../../../../test/support/fake-client.ts';
import { currentRunId } from '../domain/container.ts';
import type { Frame } from '../domain/frame.ts';
import { AgentLogs } from './agent-logs.ts';

const EMPTY = { status: 200, body: (async function* () {})() } as const;
const NO_FILES = 'no files of run 0 of container "app" in pod "web" are on this node';

/** Opens logs with an API that fails as `failWith` says, and returns what was requested, and reported. */
async function open(failWith: (query: LogQuery) => KubeError | undefined, ...opened: [LogQuery, string?][]) {
  const asked: string[] = [];
  const frames: Frame[] = [];
  const client = fakeClient({
    log: async (query) => {
      const { from } = query;
      asked.push(
        from === undefined ? `core ${query.previous === true}` : `${from.group} ${from.parameters.run}`,
      );
      const failure = from && failWith(query);
      if (failure !== undefined) throw failure;
      return EMPTY;
    },
  });
  const logs = new AgentLogs(client);
  const context = { signal: new AbortController().signal, report: (frame: Frame) => frames.push(frame) };
  for (const [query, containerId] of opened) {
    const run = target(query.pod, {
      namespace: query.namespace,
      placement: { node: `node-of-${query.pod}` },
    });
    await logs.open({ target: run, containerId: containerId ?? currentRunId(run) }, query, context);
  }
  return { asked, reported: frames.map((frame) => 'data' in frame && frame.data) };
}

const WEB = { namespace: 'shop', pod: 'web' };
const failure = (kind: 'not-found' | 'forbidden' | 'server', message: string) => () =>
  new KubeError({ kind, message });

test('a run is asked for by its number, and the log API for an unknown run', async () => {
  const { asked, reported } = await open(() => undefined, [WEB], [{ ...WEB, previous: true }, '']);
  expect([asked, reported]).toEqual([['logtool.dev 0', 'core true'], []]);
});

test('the log API is asked for a run of which the node has no files', async () => {
  const { asked, reported } = await open(failure('not-found', NO_FILES), [{ ...WEB, previous: true }], [WEB]);
  expect(asked).toEqual(['logtool.dev 0', 'core true', 'logtool.dev 0', 'core false']);
  expect(reported).toEqual([]);
});

test('an API that is not installed is asked once', async () => {
  const { asked, reported } = await open(failure('not-found', '404 page not found'), [WEB], [WEB]);
  expect(asked).toEqual(['logtool.dev 0', 'core false', 'core false']);
  expect(reported).toEqual([{ why: 'not-installed' }]);
});

test('a namespace is refused, and others are asked for', async () => {
  const refuse = ({ namespace }: LogQuery) =>
    namespace === 'shop' ? new KubeError({ kind: 'forbidden', message: 'no' }) : undefined;
  const { asked, reported } = await open(refuse, [WEB], [WEB], [{ ...WEB, namespace: 'lab' }]);
  expect(asked).toEqual(['logtool.dev 0', 'core false', 'core false', 'logtool.dev 0']);
  expect(reported).toEqual([{ why: 'forbidden', namespace: 'shop' }]);
});

test('an agent that does not answer is reported once for each node, and asked again', async () => {
  const { asked, reported } = await open(
    failure('server', 'cannot reach the agent'),
    [WEB],
    [WEB],
    [{ ...WEB, pod: 'db' }],
  );
  expect(asked.filter((text) => text.startsWith('logtool.dev'))).toHaveLength(3);
  expect(reported).toEqual([
    { why: 'not-reachable', node: 'node-of-web' },
    { why: 'not-reachable', node: 'node-of-db' },
  ]);
});

test('another failure is that of the read', async () => {
  const gone = new KubeError({ kind: 'connection', message: 'reset' });
  await expect(open(() => gone, [WEB])).rejects.toBe(gone);
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask } from './ask.ts';
import { recordingsIn } from './recordings.ts';
import { startWorld, type World } from './world.ts';

/** Covers the API server's own answers to requests for logs; this pattern excludes answers of the node. */
const OF_THE_NODE =
  /^(waiting-|init-|main-|previous-|follow-crash|ephemeral-just|kubelet-|crashloop-|follow-pod|follow-right|split-streams-on)/;
const NOT_REPLAYED: Readonly<Record<string, string>> = {
  'pods-log/websocket-error': 'the simulated server has no WebSocket',
};
const recordings = recordingsIn('pods-log').filter(
  ({ name, response }) =>
    response.status >= 204 &&
    !OF_THE_NODE.test(name.slice('pods-log/'.length)) &&
    !Object.hasOwn(NOT_REPLAYED, name),
);

let world: World;
beforeAll(async () => {
  world = await startWorld();
  const pod = (
    name: string,
    nodeName: string | undefined,
    initContainers: string[],
    containers: string[],
  ) => {
    const named = (names: string[]) => names.map((container) => ({ name: container, image: 'tools:1' }));
    const spec = {
      ...(nodeName === undefined ? {} : { nodeName }),
      initContainers: named(initContainers),
      containers: named(containers),
    };
    world.store.create('pods', { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'lab' }, spec });
  };
  pod('hundred', 'node-1', [], ['main']);
  pod('ticker', 'node-1', [], ['main']);
  pod('multi', 'node-1', ['prep'], ['first', 'second']);
});
afterAll(() => world.close());

describe('refuses a recorded request for a log as recorded', () => {
  test.concurrent.each(recordings.map((recording) => [recording.name, recording] as const))(
    '%s',
    async (_name, recording) => {
      const answer = await ask(world, recording);
      const { response } = recording;
      expect(answer.status).toBe(response.status);
      expect(answer.headers['content-type']).toBe(response.headers['Content-Type']);
      expect(answer.body).toBe(response.body ?? '');
    },
  );
});

test('the recordings exist', () => {
  expect(recordings.length).toBeGreaterThan(25);
});

import { readFileSync } from 'node:fs';
import type { KubeObject } from '@logtool/kube/src/client.ts';
import { expect, test } from 'vitest';
import { readPodFacts } from './read-facts.ts';

/** Returns a pod recorded from a real cluster. */
function recorded(name: string): KubeObject {
  const file = new URL(`../../../../../test/recorded/list/${name}.json`, import.meta.url);
  const { response } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly response: { readonly body: string };
  };
  return JSON.parse(response.body) as KubeObject;
}

function pod(status: object, spec: object = {}): KubeObject {
  return { metadata: { name: 'web-0', uid: 'u' }, spec, status } as unknown as KubeObject;
}

const ended = (exitCode: number, finishedAt: string, reason?: string) => ({
  terminated: { exitCode, finishedAt, reason },
});

test('a crash loop of a real cluster: why it waits, its last end, when it became unready', () => {
  expect(readPodFacts(recorded('pod-crasher'))).toMatchObject({
    exits: [
      {
        pod: 'crasher',
        container: 'crasher',
        at: '2026-11-21T01:57:45Z',
        exitCode: 1,
        reason: 'Error',
      },
    ],
    waiting: { container: 'crasher', reason: 'CrashLoopBackOff' },
    readinessAt: '2026-11-21T01:57:46Z',
  });
});

test("an image of a real cluster that a node cannot pull comes with the registry's answer", () => {
  const facts = readPodFacts(recorded('pod-bad-image'));
  expect(facts.waiting).toMatchObject({
    container: 'cart',
    image: expect.stringContaining('/'),
    reason: 'ImagePullBackOff',
  });
  expect(facts.waiting?.message).toMatch(/^(?!Back-off|failed to pull).* connection refused/);
  expect(facts.exits).toEqual([]);
});

test('an init container of a real cluster that fails, and a container that runs again after it failed', () => {
  const init = readPodFacts(recorded('pod-init-fails'));
  expect([init.exits[0]?.container, init.exits[0]?.exitCode, init.waiting?.container]).toEqual([
    'check',
    3,
    'check',
  ]);
  const crashed = readPodFacts(recorded('pod-once-crashed'));
  expect([crashed.exits[0]?.exitCode, crashed.waiting, crashed.isReady]).toEqual([7, undefined, true]);
});

test('the last end of each container counts, the newest first, with the memory limit of that container', () => {
  const limits = (memory: string) => ({ resources: { limits: { memory } } });
  const facts = readPodFacts(
    pod(
      {
        containerStatuses: [
          { name: 'app', lastState: ended(137, '2026-11-21T10:00:00Z', 'OOMKilled') },
          { name: 'proxy', lastState: ended(1, '2026-11-21T09:00:00Z', 'Error') },
        ],
      },
      {
        containers: [
          { name: 'proxy', ...limits('64Mi') },
          { name: 'app', ...limits('256Mi') },
        ],
      },
    ),
  );
  expect(facts.exits).toMatchObject([
    { container: 'app', reason: 'OOMKilled', memoryLimit: '256Mi' },
    { container: 'proxy', reason: 'Error', memoryLimit: '64Mi' },
  ]);
});

test('the success of an init container, or of a container that has ended, is no such end', () => {
  const at = '2026-11-21T10:00:00Z';
  const { exits, waiting } = readPodFacts(
    pod({
      initContainerStatuses: [{ name: 'init', state: ended(0, at) }],
      containerStatuses: [
        { name: 'done', state: ended(0, at) },
        { name: 'next', state: { waiting: { reason: 'PodInitializing' } } },
      ],
    }),
  );
  expect([exits, waiting]).toEqual([[], undefined]);
});

import type { Obstacle, Trouble } from '@logtool/helm/src/apply/obstacle.ts';
import { expect, test } from 'vitest';
import { pendingText } from './obstacles.ts';

const missing: Obstacle = { problem: 'pods-missing', count: 0, wanted: 2, are: 'available' };
const ref = { pod: 'web-1', container: 'main' };
const end = { exitCode: 3, reason: 'Error' };

test.each<[string, Obstacle, Trouble['problem'] | undefined, number, string]>([
  [
    'a message of the cluster',
    { problem: 'reported', message: 'connection refused' },
    undefined,
    0,
    'connection refused',
  ],
  ['an object that does not exist', { problem: 'absent' }, undefined, 0, 'it does not exist'],
  [
    'an image',
    missing,
    { of: 'container-waiting', ...ref, reason: 'ErrImagePull', message: 'no such host' },
    0,
    '0 of 2 pods are available; the container main of the pod web-1: ErrImagePull: no such host',
  ],
  [
    'a crashing container',
    missing,
    { of: 'container-crashing', ...ref, reason: 'CrashLoopBackOff', end },
    1,
    '0 of 2 pods are available; the container main of the pod web-1: CrashLoopBackOff, its last run ended with exit code 3 (Error), and 1 other pod',
  ],
  [
    'a pod without a node',
    missing,
    { of: 'unscheduled', pod: 'web-1', message: '0/1 nodes are available' },
    0,
    '0 of 2 pods are available; no node takes the pod web-1: 0/1 nodes are available',
  ],
  [
    'a Job whose pod ended',
    { problem: 'reported', message: 'Job has reached the specified backoff limit' },
    { of: 'container-ended', ...ref, end, isPrevious: false },
    0,
    'Job has reached the specified backoff limit; the container main of the pod web-1: it ended with exit code 3 (Error)',
  ],
  [
    'a claim',
    { problem: 'no-volume' },
    { of: 'event', reason: 'ProvisioningFailed', message: 'class "fast" not found' },
    0,
    'no volume is bound to it; ProvisioningFailed: class "fast" not found',
  ],
  [
    'a quota',
    { ...missing, count: 1, are: 'new' },
    { of: 'refused-pods', message: 'exceeded quota' },
    0,
    '1 of 2 pods are new; exceeded quota',
  ],
  [
    'a pod that failed without saying why',
    { problem: 'failed' },
    { of: 'failed', pod: 'a' },
    0,
    'it has failed; the pod a has failed',
  ],
  [
    'a pod that failed and says why',
    { problem: 'failed' },
    { of: 'failed', pod: 'a', reason: 'Evicted', message: 'low on memory' },
    0,
    'it has failed; the pod a has failed: Evicted: low on memory',
  ],
])('%s is named', (_case, obstacle, problem, otherPods, text) => {
  const object = 'Deployment "web" in namespace "shop"';
  const trouble = problem === undefined ? {} : { trouble: { problem, otherPods } };
  expect(pendingText({ object, obstacle, ...trouble })).toBe(`${object}: ${text}`);
});

import { readdirSync, readFileSync } from 'node:fs';
import type { KubeObject } from '@logtool/kube/src/client.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPod } from './pod-facts.ts';
import { slimPod } from './slim-pod.ts';

const RECORDED = new URL('../../../../../test/recorded/list/', import.meta.url);

/** Returns all pods in the answers of real servers. */
function recordedPods(): readonly KubeObject[] {
  return readdirSync(RECORDED).flatMap((file) => {
    const { response } = JSON.parse(readFileSync(new URL(file, RECORDED), 'utf8'));
    if (!/^\{/.test(response?.body ?? '')) return [];
    const answer = JSON.parse(response.body);
    if (answer.kind === 'Pod') return [answer];
    return answer.kind === 'PodList' ? (answer.items ?? []) : [];
  });
}

test('of every recorded pod the same is read, from a fraction of its size', () => {
  const pods = recordedPods();
  expect(pods.length).toBeGreaterThan(30);
  expect(pods.map((pod) => readPod(slimPod(pod)))).toEqual(pods.map(readPod));
  const size = (value: unknown) => JSON.stringify(value).length;
  expect(size(pods.map(slimPod))).toBeLessThan(size(pods) / 4);
});

const NAMES = [
  'spec',
  'status',
  'nodeName',
  'phase',
  'reason',
  'message',
  'containers',
  'initContainers',
  'conditions',
  'ephemeralContainers',
  'containerStatuses',
  'initContainerStatuses',
  'ephemeralContainerStatuses',
  'name',
  'state',
  'lastState',
  'running',
  'waiting',
  'terminated',
  'containerID',
  'exitCode',
  'restartCount',
  'restartPolicy',
  'restartPolicyRules',
  'action',
  'exitCodes',
  'operator',
  'values',
  'type',
  'image',
];

test('of any object the same is read', () => {
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'medium', withCrossShrink: true },
      fc.constantFrom(
        null,
        0,
        1,
        '',
        'a',
        'Always',
        'Never',
        'Failed',
        'PodScheduled',
        'False',
        'In',
        'Restart',
      ),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { maxKeys: 6, noNullPrototype: true }),
    ),
  }));
  const spec = fc.dictionary(fc.constantFrom(...NAMES), value, { noNullPrototype: true });
  fc.assert(
    fc.property(spec, spec, (given, status) => {
      const metadata = { name: 'p', namespace: 'n', uid: 'u', resourceVersion: '1' };
      const pod = { metadata, spec: given, status } as KubeObject;
      expect(readPod(slimPod(pod))).toEqual(readPod(pod));
    }),
    { numRuns: 500 },
  );
});

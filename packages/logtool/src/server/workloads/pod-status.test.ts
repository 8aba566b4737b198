import { expect, test } from 'vitest';
import { isTrouble, podStatus } from './pod-status.ts';

const ready = [
  { type: 'Initialized', status: 'True' },
  { type: 'Ready', status: 'True' },
];
const running = { state: { running: {} }, ready: true };
const ended = (terminated: object) => ({ state: { terminated } });
const waiting = (reason: string) => ({ state: { waiting: { reason } } });

test.each<[string, object, boolean]>([
  ['Running', { status: { phase: 'Running', conditions: ready, containerStatuses: [running] } }, false],
  ['Pending', { status: { phase: 'Pending' } }, false],
  [
    'ContainerCreating',
    { status: { phase: 'Pending', containerStatuses: [waiting('ContainerCreating')] } },
    false,
  ],
  [
    'ImagePullBackOff',
    { status: { phase: 'Pending', containerStatuses: [waiting('ImagePullBackOff')] } },
    true,
  ],
  [
    'CrashLoopBackOff',
    { status: { phase: 'Running', containerStatuses: [running, waiting('CrashLoopBackOff')] } },
    true,
  ],
  [
    'Error',
    { status: { phase: 'Failed', containerStatuses: [ended({ reason: 'Error', exitCode: 1 })] } },
    true,
  ],
  ['ExitCode:3', { status: { phase: 'Failed', containerStatuses: [ended({ exitCode: 3 })] } }, true],
  [
    'Signal:9',
    { status: { phase: 'Failed', containerStatuses: [ended({ exitCode: 137, signal: 9 })] } },
    true,
  ],
  [
    'Completed',
    { status: { phase: 'Succeeded', containerStatuses: [ended({ reason: 'Completed' })] } },
    false,
  ],
  [
    'Running',
    {
      status: {
        phase: 'Running',
        conditions: ready,
        containerStatuses: [ended({ reason: 'Completed', exitCode: 0 }), running],
      },
    },
    false,
  ],
  [
    'NotReady',
    {
      status: { phase: 'Running', containerStatuses: [ended({ reason: 'Completed', exitCode: 0 }), running] },
    },
    false,
  ],
  [
    'Init:1/2',
    {
      spec: { initContainers: [{ name: 'a' }, { name: 'b' }] },
      status: {
        phase: 'Pending',
        initContainerStatuses: [
          { name: 'a', ...ended({ exitCode: 0 }) },
          { name: 'b', state: { running: {} } },
        ],
        containerStatuses: [waiting('PodInitializing')],
      },
    },
    false,
  ],
  [
    'Init:CrashLoopBackOff',
    {
      spec: { initContainers: [{ name: 'a' }] },
      status: { phase: 'Pending', initContainerStatuses: [{ name: 'a', ...waiting('CrashLoopBackOff') }] },
    },
    true,
  ],
  [
    'Running',
    {
      spec: { initContainers: [{ name: 'a', restartPolicy: 'Always' }] },
      status: {
        phase: 'Running',
        conditions: ready,
        initContainerStatuses: [{ name: 'a', started: true, state: { running: {} } }],
        containerStatuses: [running],
      },
    },
    false,
  ],
  ['Evicted', { status: { phase: 'Failed', reason: 'Evicted' } }, true],
  [
    'Terminating',
    { metadata: { deletionTimestamp: 'x' }, status: { phase: 'Running', containerStatuses: [running] } },
    false,
  ],
  [
    'Unknown',
    { metadata: { deletionTimestamp: 'x' }, status: { phase: 'Running', reason: 'NodeLost' } },
    true,
  ],
  [
    'SchedulingGated',
    { status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', reason: 'SchedulingGated' }] } },
    false,
  ],
  ['Unknown', {}, true],
])('kubectl says %s of %j', (status, pod, trouble) => {
  expect(podStatus(pod as Record<string, unknown>)).toBe(status);
  expect(isTrouble(status)).toBe(trouble);
});

import { expect, test } from 'vitest';
import { factsOfNode, slimNode } from './facts-of-node.ts';

const BEAT = { 'f:lastHeartbeatTime': {} };
/** As recorded on a real cluster: the kubelet's time in the conditions, the API server's in the record of its write. */
const node = (heartbeat: string, written: string, { manager = 'kubelet', fields = {} } = {}) =>
  ({
    metadata: {
      name: 'node-1',
      uid: 'n1',
      creationTimestamp: '2026-11-21T01:43:43Z',
      managedFields: [
        {
          manager: 'kubelet',
          operation: 'Update',
          time: '2026-11-21T01:43:43Z',
          fieldsV1: { 'f:metadata': {} },
        },
        {
          manager,
          operation: 'Update',
          subresource: 'status',
          time: written,
          fieldsV1: { ...fields, 'f:status': { 'f:conditions': { 'k:{"type":"Ready"}': BEAT } } },
        },
      ],
    },
    spec: {},
    status: {
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          lastHeartbeatTime: heartbeat,
          lastTransitionTime: '2026-11-21T01:43:43Z',
        },
        // Another program's, by another clock.
        { type: 'KernelDeadlock', status: 'False', lastHeartbeatTime: '2027-01-01T00:00:00Z' },
      ],
    },
  }) as never;

const NOW = { seconds: Date.parse('2026-11-21T02:00:00Z') / 1000, nanos: 0 };
const clockOf = (object: never) =>
  [object, slimNode(object)].map((each) =>
    factsOfNode(each as never, NOW).flatMap((fact) => (fact.kind === 'node-clock' ? fact.data.offsetMs : [])),
  );

test('a heartbeat from later than its own write proves a clock ahead', () => {
  expect(clockOf(node('2026-11-21T02:06:29Z', '2026-11-21T01:56:29Z'))).toEqual([[599_000], [599_000]]);
});

test('a heartbeat from long before its own write proves a clock behind', () => {
  expect(clockOf(node('2026-11-21T01:46:29Z', '2026-11-21T01:56:29Z'))).toEqual([[-580_000], [-580_000]]);
});

test('times as a real node with a right clock has them prove nothing, nor does the time that a write takes', () => {
  for (const heartbeat of ['2026-11-21T01:56:29Z', '2026-11-21T01:56:30Z', '2026-11-21T01:56:10Z'])
    expect(clockOf(node(heartbeat, '2026-11-21T01:56:29Z'))).toEqual([[], []]);
});

test('a late write of something else, or by a program that is not only a kubelet, proves nothing', () => {
  const [heartbeat, written] = ['2026-11-21T01:46:29Z', '2026-11-21T01:56:29Z'];
  expect(clockOf(node(heartbeat, written, { fields: { 'f:metadata': {} } }))).toEqual([[], []]);
  expect(clockOf(node(heartbeat, written, { manager: 'k3s' }))).toEqual([[], []]);
});

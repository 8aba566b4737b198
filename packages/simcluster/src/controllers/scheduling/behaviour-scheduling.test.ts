import { describe, expect, it } from 'vitest';
import { play, podNamed } from '../../../test/support/play.ts';
import { podStatus } from '../objects.ts';
import { quantityOf, requestsOf } from './quantity.ts';

const NODES = [
  { name: 'node-1', cpu: '2', memory: '4Gi', labels: { disk: 'hdd' } },
  { name: 'node-2', cpu: '1', memory: '8Gi', labels: { disk: 'ssd' } },
];
const NO_HELP = '. no new claims to deallocate, preemption: 0/2 nodes are available: ';
const NOT_HELPFUL = `${NO_HELP}2 Preemption is not helpful for scheduling.`;
const NO_VICTIMS = `${NO_HELP}2 No preemption victims found for incoming pod.`;

function pod(name: string, more: object = {}, container: object = {}) {
  return { kind: 'Pod', name, containers: [{ name: 'app', ...container }], ...more };
}

function required(key: string, value: string) {
  const nodeSelectorTerms = [{ matchExpressions: [{ key, operator: 'In', values: [value] }] }];
  return { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } };
}

describe('a pod without a fitting node says why', () => {
  it.each([
    ['cpu', pod('p', {}, { requests: { cpu: '3' } }), NODES, `2 Insufficient cpu${NO_VICTIMS}`],
    [
      'memory, each node by what it lacks',
      pod('p', {}, { requests: { cpu: '1500m', memory: '6Gi' } }),
      NODES,
      `1 Insufficient cpu, 1 Insufficient memory${NO_VICTIMS}`,
    ],
    [
      'a taint',
      pod('p'),
      NODES.map((node) => ({ ...node, taints: [{ key: 'dedicated', value: 'gpu' }] })),
      `2 node(s) had untolerated taint(s)${NOT_HELPFUL}`,
    ],
    [
      'node affinity',
      pod('p', { podSpec: { affinity: { nodeAffinity: required('disk', 'nvme') } } }),
      NODES,
      `2 node(s) didn't match Pod's node affinity/selector${NOT_HELPFUL}`,
    ],
    [
      'a node selector and a cordoned node',
      pod('p', { nodeSelector: { disk: 'ssd' } }),
      [NODES[0], { ...NODES[1], unschedulable: true }],
      `1 node(s) didn't match Pod's node affinity/selector, 1 node(s) were unschedulable${NOT_HELPFUL}`,
    ],
    [
      'a claim that is not there',
      pod('p', { podSpec: { volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'data' } }] } }),
      NODES,
      `persistentvolumeclaim "data" not found${NOT_HELPFUL}`,
    ],
    ['full nodes', pod('p'), NODES.map((node) => ({ ...node, pods: 1 })), `2 Too many pods${NO_VICTIMS}`],
  ])('%s', async (reason, workload, nodes, message) => {
    const others = reason === 'full nodes' ? [pod('a'), pod('b')] : [];
    const { sim, clock } = await play({ nodes, workloads: [...others, workload], startDelays: 'none' });
    await clock.advance(1_000);
    const scheduled = podStatus(podNamed(sim, 'p')).conditions?.find(({ type }) => type === 'PodScheduled');
    expect(scheduled).toMatchObject({
      status: 'False',
      reason: 'Unschedulable',
      message: `0/2 nodes are available: ${message}`,
    });
  });

  it('a volume that only another node reaches', async () => {
    const objects = [
      {
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        metadata: { name: 'disk-1' },
        spec: {
          nodeAffinity: { required: required('disk', 'tape').requiredDuringSchedulingIgnoredDuringExecution },
        },
      },
      {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name: 'data', namespace: 'default' },
        spec: { volumeName: 'disk-1' },
      },
    ];
    const volumes = [{ name: 'd', persistentVolumeClaim: { claimName: 'data' } }];
    const workloads = [pod('p', { podSpec: { volumes } })];
    const { sim, clock } = await play({ nodes: NODES, workloads, objects, startDelays: 'none' });
    await clock.advance(1_000);
    expect(podStatus(podNamed(sim, 'p')).conditions?.[0]?.message).toBe(
      `0/2 nodes are available: 2 node(s) didn't match PersistentVolume's node affinity${NOT_HELPFUL}`,
    );
  });

  it('a neighbor that it does not want', async () => {
    const affinity = {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          {
            topologyKey: 'kubernetes.io/hostname',
            labelSelector: { matchLabels: { 'app.kubernetes.io/name': 'web' } },
          },
        ],
      },
    };
    const workload = {
      kind: 'Deployment',
      name: 'web',
      replicas: 3,
      podSpec: { affinity },
      containers: [{ name: 'app' }],
    };
    const { sim, clock } = await play({ nodes: NODES, workloads: [workload], startDelays: 'none' });
    await clock.advance(1_000);
    const placed = sim.store.list('pods').map(({ spec }) => spec?.nodeName);
    expect(placed.toSorted()).toEqual(['node-1', 'node-2', undefined]);
    const waiting = sim.store.list('pods').find(({ spec }) => spec?.nodeName === undefined);
    expect(waiting && podStatus(waiting).conditions?.[0]?.message).toBe(
      `0/2 nodes are available: 2 node(s) didn't match pod anti-affinity rules${NO_VICTIMS}`,
    );
  });
});

it('a pod of higher priority takes the place of one of lower priority', async () => {
  const { sim, clock } = await play({
    nodes: [{ name: 'node-1', cpu: '1' }],
    startDelays: 'none',
    backfill: '1m',
    workloads: [
      pod('batch', { gracePeriodSeconds: 5 }, { requests: { cpu: '800m' }, stop: { after: '3s' } }),
      pod('urgent', { at: '10s', podSpec: { priority: 1000 } }, { requests: { cpu: '500m' } }),
    ],
  });
  await clock.advance(11_000);
  const urgent = podNamed(sim, 'urgent');
  expect(podStatus(urgent)).toMatchObject({
    nominatedNodeName: 'node-1',
    conditions: [{ message: '0/1 nodes are available: 1 Insufficient cpu.' }],
  });
  const batch = podNamed(sim, 'batch');
  expect(batch.metadata.deletionTimestamp).toBeDefined();
  expect(podStatus(batch).conditions?.[0]).toMatchObject({
    type: 'DisruptionTarget',
    reason: 'PreemptionByScheduler',
  });
  const preempted = sim.store.list('events').find(({ reason }) => reason === 'Preempted');
  expect(preempted).toMatchObject({
    type: 'Normal',
    action: 'Preempting',
    message: `Preempted by pod ${urgent.metadata.uid} on node node-1`,
    involvedObject: { name: 'batch' },
    related: { name: 'urgent' },
  });
  await clock.advance(20_000);
  expect(podNamed(sim, 'urgent').spec?.nodeName).toBe('node-1');
  expect(podStatus(podNamed(sim, 'urgent')).phase).toBe('Running');
});

it('reads quantities as Kubernetes does', () => {
  const read = ['500m', '1', '1.5', '64Mi', '1Gi', '2k', '1e3', 'x', undefined].map(quantityOf);
  expect(read).toEqual([0.5, 1, 1.5, 67_108_864, 1_073_741_824, 2000, 1000, 0, 0]);
  const containers = [
    { resources: { requests: { cpu: '100m' } } },
    { resources: { limits: { cpu: '1', memory: '1Ki' } } },
  ];
  const initContainers = [{ resources: { requests: { memory: '1Mi' } } }];
  expect(requestsOf({ containers, initContainers })).toEqual({ cpu: 1100, memory: 1_048_576 });
});

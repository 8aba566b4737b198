import { expect, test } from 'vitest';
import { NOON, openWhy, type WhyJson } from './why-world.ts';

/** A container that the kubelet killed for its liveness probe, and another workload, about which there are many events. */
const SCENARIO = {
  seed: 11,
  namespace: 'shop',
  namespaces: ['shop'],
  backfill: '50m',
  nodes: [{ name: 'node-1' }],
  workloads: [
    {
      kind: 'Deployment',
      name: 'web',
      replicas: 1,
      containers: [
        {
          name: 'app',
          spec: { livenessProbe: { httpGet: { path: '/live', port: 80 }, periodSeconds: 10 } },
          probes: [{ probe: 'liveness', from: '-20m', until: '-19m', answer: 'timeout' }],
          stop: { ignore: true },
          logs: [{ format: 'json', perSecond: 0.2, levels: { info: 1 } }],
        },
      ],
    },
    { kind: 'Deployment', name: 'other', replicas: 1, containers: [{ name: 'app' }] },
  ],
};

const EVENTS = 12_000;

test('of events that are too many to keep nothing is concluded, and JSON has the doubt', {
  timeout: 60_000,
}, async () => {
  const world = await openWhy(SCENARIO);
  try {
    const known = JSON.parse((await world.why('deployments/web', '-o', 'json')).stdout) as WhyJson;
    expect(known.verdicts.map(({ code }) => code)).toEqual(['probe-killed']);
    const { store } = world.cluster;
    const pod = store.list('pods', 'shop').find(({ metadata }) => metadata.name.startsWith('other'));
    for (let index = 0; index < EVENTS; index++) {
      const time = new Date(NOON - 600_000 + index * 40).toISOString().replace(/\.\d+Z/, 'Z');
      store.create('events', {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name: `noise-${index}`, namespace: 'shop' },
        involvedObject: { kind: 'Pod', namespace: 'shop', name: pod?.metadata.name, uid: pod?.metadata.uid },
        reason: 'Noise',
        message: `noise ${index}`,
        type: 'Normal',
        firstTimestamp: time,
        lastTimestamp: time,
        source: { component: 'kubelet' },
      });
    }
    const cut = JSON.parse((await world.why('deployments/web', '-o', 'json')).stdout) as WhyJson;
    expect(cut.doubts.map(({ code }) => code)).toEqual(['events-cut']);
    expect(cut.verdicts.map(({ code, doubts }) => [code, doubts.map((doubt) => doubt.code)])).toEqual([
      ['stopped-by-signal', ['kubelet-unread', 'code-of-program']],
    ]);
    const { stdout } = await world.why('deployments/web');
    expect(stdout).toMatch(
      /there are more events than logtool keeps: it does not know those before 2026-11-22T11:\d\d:\d\dZ,/,
    );
    expect(stdout).not.toContain('no events remain');
    expect(stdout).not.toContain('the cluster does not record');
  } finally {
    await world.close();
  }
});

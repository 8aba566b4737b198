import { expect, test } from 'vitest';
import { type WhyJson, whyOf } from './why-world.ts';

const TEXT = 'unable to get metrics for resource cpu: no metrics returned from resource metrics API';
const INFO = [{ format: 'json', perSecond: 0.5, levels: { info: 1 } }];

/** Two Deployments, and an autoscaler of the first with this condition and an event. */
function scenario(condition: { readonly status: string; readonly reason: string; readonly since: string }) {
  const { status, reason, since } = condition;
  const deployment = (name: string) => ({
    kind: 'Deployment',
    name,
    replicas: 2,
    containers: [{ name: 'app', logs: INFO }],
  });
  return {
    seed: 3,
    namespace: 'shop',
    namespaces: ['shop'],
    backfill: '30m',
    nodes: [{ name: 'node-1' }],
    workloads: [deployment('web'), deployment('api')],
    objects: [
      {
        apiVersion: 'autoscaling/v2',
        kind: 'HorizontalPodAutoscaler',
        metadata: { name: 'scaler', namespace: 'shop', uid: 'hpa-1' },
        spec: {
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
          minReplicas: 2,
          maxReplicas: 10,
        },
        status: {
          conditions: [
            { type: 'ScalingActive', status, reason, message: TEXT, lastTransitionTime: since },
            {
              type: 'ScalingLimited',
              status: 'True',
              reason: 'TooManyReplicas',
              message: 'the desired replica count is more than the maximum replica count',
              lastTransitionTime: since,
            },
          ],
        },
      },
      {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name: 'scaler.1', namespace: 'shop' },
        type: 'Warning',
        reason: 'FailedGetResourceMetric',
        message: `failed to get cpu utilization: ${TEXT}`,
        involvedObject: {
          apiVersion: 'autoscaling/v2',
          kind: 'HorizontalPodAutoscaler',
          namespace: 'shop',
          name: 'scaler',
          uid: 'hpa-1',
        },
        firstTimestamp: since,
        lastTimestamp: since,
        count: 1,
        source: { component: 'horizontal-pod-autoscaler' },
      },
    ],
  };
}

const FAILING = { status: 'False', reason: 'FailedGetResourceMetric', since: '2026-11-22T11:40:00Z' };

test('a workload whose autoscaler cannot scale it is not healthy', async () => {
  const { stdout } = await whyOf(scenario(FAILING), 'deployments/web', '-n', 'shop');
  expect(stdout).toContain(`its autoscaler cannot scale it: ${TEXT}`);
  expect(stdout).toContain('first known sign 2026-11-22T11:40:00~');
});

test('an autoscaler is the trouble only of the workload that it scales', async () => {
  const { stdout } = await whyOf(scenario(FAILING), 'deployments/*', '-n', 'shop', '-o', 'json');
  const { workloads, verdicts, healthy } = JSON.parse(stdout) as WhyJson;
  expect(verdicts.map(({ code }) => code)).toEqual(['autoscaler-failing']);
  expect(workloads.map(({ subject }) => subject.name)).toEqual(['web']);
  expect(healthy).toEqual({ count: 1, names: ['api'] });
});

test.each([
  ['has no metrics since a minute', { ...FAILING, since: '2026-11-22T11:59:00Z' }],
  ['is switched off', { ...FAILING, reason: 'ScalingDisabled' }],
  ['scales again', { ...FAILING, status: 'True', reason: 'ValidMetricFound' }],
])('an autoscaler that %s is not a problem', async (_, condition) => {
  const { stdout } = await whyOf(scenario(condition), 'deployments/web', '-n', 'shop', '-o', 'json');
  expect((JSON.parse(stdout) as WhyJson).outcome).toBe('healthy');
});

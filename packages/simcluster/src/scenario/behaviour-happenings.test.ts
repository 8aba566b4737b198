import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { play } from '../../test/support/play.ts';
import { type ContainerStatus, podStatus } from '../controllers/objects.ts';
import type { StoredObject } from '../store/store.ts';
import type { Simulation } from './simulation.ts';

const FOLDER = resolve(import.meta.dirname, '../../../../scenarios/happenings');

function podsOf(sim: Simulation, prefix: string): readonly StoredObject[] {
  return sim.store.list('pods', 'shop').filter(({ metadata }) => metadata.name.startsWith(prefix));
}

function statuses(sim: Simulation, prefix: string): readonly ContainerStatus[] {
  return podsOf(sim, prefix).flatMap((pod) => [
    ...(podStatus(pod).initContainerStatuses ?? []),
    ...(podStatus(pod).containerStatuses ?? []),
  ]);
}

/** Returns `reason code` of each last exit. */
function exits(sim: Simulation, prefix: string): string {
  const ends = statuses(sim, prefix).map(({ state, lastState }) => state.terminated ?? lastState.terminated);
  return [...new Set(ends.map((end) => (end === undefined ? 'none' : `${end.reason} ${end.exitCode}`)))]
    .toSorted()
    .join(', ');
}

function waits(sim: Simulation, prefix: string): string {
  const all = statuses(sim, prefix).map(({ state }) => state.waiting?.reason ?? 'none');
  return [...new Set(all)].toSorted().join(', ');
}

function events(sim: Simulation, reason: string): string {
  const found = sim.store.list('events').filter((event) => event.reason === reason);
  return found.map(({ message }) => String(message)).join('\n');
}

function unscheduled(sim: Simulation, prefix: string): string {
  const found = podsOf(sim, prefix).flatMap((pod) => podStatus(pod).conditions ?? []);
  return found.find(({ reason }) => reason === 'Unschedulable')?.message ?? '';
}

function condition(sim: Simulation, resource: string, name: string, type: string): string {
  const conditions = sim.store.get(resource, 'shop', name)?.status?.conditions as
    | readonly { type: string; reason: string }[]
    | undefined;
  return conditions?.find((one) => one.type === type)?.reason ?? '';
}

function allReady(sim: Simulation, prefix: string): boolean {
  const all = statuses(sim, prefix);
  return all.length > 0 && all.every(({ ready }) => ready);
}

/** Returns the names of the pods that are being deleted. */
function leaving(sim: Simulation, prefix: string): readonly string[] {
  const pods = podsOf(sim, prefix).filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
  return pods.map(({ metadata }) => metadata.name);
}

const AUTOSCALERS = 'horizontalpodautoscalers.autoscaling';

/** What the API must show for each cause. */
const SIGNS: Readonly<Record<string, (sim: Simulation) => void>> = {
  'oom-container': (sim) => expect(exits(sim, 'web-')).toBe('OOMKilled 137'),
  'oom-child': (sim) => {
    expect(exits(sim, 'thumbnails-')).toBe('none');
    expect(events(sim, 'OOMKilling')).toMatch(/Killed process \d+ \(convert\)/);
  },
  'liveness-kill': (sim) => {
    expect(exits(sim, 'checkout-')).toBe('Error 137');
    expect(events(sim, 'Killing')).toBe('Container app failed liveness probe, will be restarted');
  },
  'liveness-kill-graceful': (sim) => {
    expect([exits(sim, 'checkout-'), allReady(sim, 'checkout-')]).toEqual(['Completed 0', true]);
    expect(events(sim, 'Killing')).toBe('Container app failed liveness probe, will be restarted');
  },
  'startup-kill-loop': (sim) => {
    expect([exits(sim, 'search-'), waits(sim, 'search-')]).toEqual(['Completed 0', 'CrashLoopBackOff']);
    expect(events(sim, 'Killing')).toBe('Container app failed startup probe, will be restarted');
  },
  'killed-by-hand-after-probe': (sim) => {
    expect(exits(sim, 'checkout-')).toBe('Error 137');
    expect(events(sim, 'Killing')).toBe('Container app failed liveness probe, will be restarted');
  },
  'hook-fails': (sim) => {
    expect(exits(sim, 'worker-')).toBe('Error 143');
    expect([events(sim, 'FailedPostStartHook'), events(sim, 'Killing')]).toEqual([
      'PostStartHook failed',
      'FailedPostStartHook',
    ]);
  },
  'container-not-created': (sim) => {
    expect(waits(sim, 'web-')).toBe('CreateContainerError');
    expect(events(sim, 'Failed')).toMatch(/^Error: failed to reserve container name/);
  },
  'ends-with-0': (sim) => {
    expect([exits(sim, 'sync-'), waits(sim, 'sync-')]).toEqual(['Completed 0', 'CrashLoopBackOff']);
    expect(events(sim, 'Killing')).toBe('');
  },
  'stopped-by-sighup': (sim) => expect(exits(sim, 'worker-')).toBe('Error 129'),
  'killed-by-hand': (sim) => {
    expect([exits(sim, 'checkout-'), exits(sim, 'importer-')]).toEqual(['Error 137', 'OOMKilled 137']);
    expect(events(sim, 'Killing')).toBe('');
  },
  eviction: (sim) => {
    expect(podsOf(sim, 'cache-').map((pod) => podStatus(pod).reason)).toContain('Evicted');
    expect(events(sim, 'Evicted')).toMatch(/^The node was low on resource: memory\. /);
  },
  'pressure-bystander': (sim) => {
    expect(exits(sim, 'orders-')).toBe('Error 1');
    expect(events(sim, 'NodeHasInsufficientMemory')).not.toBe('');
  },
  'drained-node': (sim) => {
    expect(podsOf(sim, 'web-').filter(({ spec }) => spec?.nodeName === 'node-1')).toEqual([]);
    expect(allReady(sim, 'web-')).toBe(true);
  },
  'ends-with-0-slowly': (sim) => {
    expect([exits(sim, 'sync-'), allReady(sim, 'sync-')]).toEqual(['Completed 0', true]);
    expect(events(sim, 'BackOff')).toBe('');
  },
  'readiness-flaps': (sim) => {
    expect(allReady(sim, 'catalog-')).toBe(true);
    expect(events(sim, 'Unhealthy')).toMatch(/^Readiness probe failed/);
  },
  'crashed-then-replaced': (sim) => {
    expect([exits(sim, 'web-'), allReady(sim, 'web-')]).toEqual(['none', true]);
    expect(events(sim, 'BackOff')).toMatch(/^Back-off restarting failed container app/);
  },
  'oom-node': (sim) => expect(events(sim, 'SystemOOM')).toMatch(/victim process: checkout, pid: \d+$/),
  'oom-worker': (sim) => expect(exits(sim, 'web-')).toBe('OOMKilled 1'),
  'crash-after-reboot': (sim) => {
    expect(events(sim, 'Rebooted')).toMatch(/has been rebooted/);
    expect(exits(sim, 'web-')).toContain('Error 255');
  },
  'liveness-loop': (sim) => {
    expect(events(sim, 'Killing')).toBe('');
    expect(events(sim, 'Unhealthy')).toMatch(/^Liveness probe failed/);
  },
  'crash-near-probe': (sim) => {
    expect(events(sim, 'Killing')).toBe('');
    expect(exits(sim, 'checkout-')).toBe('Error 1');
  },
  'drained-old-pods': (sim) => {
    expect(podsOf(sim, 'web-').filter(({ spec }) => spec?.nodeName === 'node-1')).toEqual([]);
    expect(events(sim, 'SuccessfulCreate').split('\n')).toHaveLength(2);
  },
  'scaled-down-old-pods': (sim) => {
    expect([allReady(sim, 'web-'), podsOf(sim, 'web-').length]).toEqual([true, 6]);
    expect(events(sim, 'Killing').split('\n')).toHaveLength(4);
  },
  'preempted-old-pod': (sim) => {
    expect(events(sim, 'Preempted')).toMatch(/^Preempted by pod .* on node node-1$/);
    expect(unscheduled(sim, 'batch-')).toMatch(/1 Insufficient cpu/);
  },
  'scaled-down': (sim) => {
    expect([allReady(sim, 'web-'), podsOf(sim, 'web-').length]).toEqual([true, 2]);
    expect(events(sim, 'SuccessfulDelete').split('\n').length).toBeLessThan(32);
  },
  'scaled-down-slowly': (sim) => expect(leaving(sim, 'db-')).toEqual(['db-2']),
  'terminating-slowly': (sim) => expect(leaving(sim, 'db-')).toEqual(['db-1']),
  'cronjob-deadline': (sim) => expect(events(sim, 'DeadlineExceeded')).not.toBe(''),
  'cronjob-slow': (sim) => expect(events(sim, 'DeadlineExceeded')).toBe(''),
  'crash-with-trace': (sim) => expect(exits(sim, 'pricing-')).toBe('Error 1'),
  segfault: (sim) => expect(exits(sim, 'encoder-')).toBe('Error 139'),
  'stopped-by-sigterm': (sim) => expect(exits(sim, 'worker-')).toBe('Error 143'),
  'image-tag': (sim) => expect(events(sim, 'Failed')).toMatch(/v43-typo: not found$/m),
  'image-tag-429': (sim) => expect(events(sim, 'Failed')).toMatch(/web:429: not found$/m),
  'image-name': (sim) =>
    expect(events(sim, 'Failed')).toMatch(/pull access denied, repository does not exist/),
  'image-credentials': (sim) => expect(events(sim, 'Failed')).toMatch(/403 Forbidden$/m),
  'image-rate-limit': (sim) => expect(events(sim, 'Failed')).toMatch(/429 Too Many Requests$/m),
  'image-network': (sim) => expect(events(sim, 'Failed')).toMatch(/no such host$/m),
  'image-recovered': (sim) => {
    expect(allReady(sim, 'web-')).toBe(true);
    expect(events(sim, 'Failed')).toMatch(/connection refused$/m);
  },
  'missing-configmap': (sim) => {
    expect(waits(sim, 'web-')).toBe('CreateContainerConfigError');
    expect(events(sim, 'Failed')).toMatch(/^Error: configmap "web-settings" not found$/m);
  },
  'missing-key': (sim) =>
    expect(events(sim, 'Failed')).toMatch(/^Error: couldn't find key password in Secret shop\/web-login$/m),
  'missing-config-volume': (sim) => {
    expect(waits(sim, 'web-')).toBe('ContainerCreating');
    expect(events(sim, 'FailedMount')).toMatch(/configmap "web-files" not found$/m);
  },
  'init-fails': (sim) => expect(exits(sim, 'orders-')).toBe('Error 3, none'),
  'readiness-503': (sim) => {
    expect([exits(sim, 'catalog-'), allReady(sim, 'catalog-')]).toEqual(['none', false]);
    expect(events(sim, 'Unhealthy')).toMatch(/statuscode: 503/);
  },
  'readiness-of-another': (sim) => {
    expect(statuses(sim, 'catalog-').map(({ ready }) => ready)).toEqual([false, true]);
    expect(events(sim, 'Unhealthy')).toMatch(/statuscode: 503[\s\S]*connection refused/);
  },
  'crash-after-blip': (sim) => {
    expect(statuses(sim, 'catalog-').map(({ ready }) => ready)).toEqual([false, true]);
    expect([exits(sim, 'catalog-'), waits(sim, 'catalog-')]).toEqual([
      'Error 1, none',
      'CrashLoopBackOff, none',
    ]);
  },
  'readiness-blip': (sim) => {
    expect([exits(sim, 'catalog-'), allReady(sim, 'catalog-')]).toEqual(['none', true]);
    expect(events(sim, 'Unhealthy')).not.toBe('');
  },
  'unschedulable-cpu': (sim) => expect(unscheduled(sim, 'reports-')).toMatch(/2 Insufficient cpu\./),
  'unschedulable-taint': (sim) =>
    expect(unscheduled(sim, 'training-')).toMatch(/1 node\(s\) had untolerated taint\(s\)/),
  'unschedulable-volume': (sim) =>
    expect(unscheduled(sim, 'db-')).toMatch(/2 node\(s\) didn't match PersistentVolume's node affinity/),
  preempted: (sim) => {
    expect(events(sim, 'Preempted')).toMatch(/^Preempted by pod .* on node node-1$/);
    expect(unscheduled(sim, 'batch-')).toMatch(/1 Insufficient cpu/);
    expect(allReady(sim, 'urgent-')).toBe(true);
  },
  'node-lost': (sim) => {
    expect(events(sim, 'NodeNotReady')).toMatch(/^Node is not ready$/m);
    expect(events(sim, 'TaintManagerEviction')).toMatch(/^Marking for deletion Pod shop\/web-/);
  },
  'rebooted-then-lost': (sim) => {
    expect(events(sim, 'Rebooted')).toMatch(/^Node node-1 has been rebooted/);
    expect(allReady(sim, 'web-')).toBe(true);
    expect(events(sim, 'NodeNotReady')).toMatch(/^Node is not ready$/m);
  },
  'node-rebooted': (sim) => {
    expect(exits(sim, 'web-')).toBe('Unknown 255, none');
    expect(events(sim, 'Rebooted')).toMatch(/^Node node-1 has been rebooted, boot id: /);
  },
  'volume-multi-attach': (sim) => expect(events(sim, 'FailedAttachVolume')).toMatch(/^Multi-Attach error/),
  'quota-exceeded': (sim) => {
    expect(podsOf(sim, 'web-').length).toBe(2);
    expect(events(sim, 'FailedCreate')).toMatch(/exceeded quota: compute, requested: limits\.memory=768Mi/);
  },
  'quota-enough': (sim) => {
    expect([allReady(sim, 'web-'), podsOf(sim, 'web-').length]).toEqual([true, 3]);
    expect(events(sim, 'FailedCreate')).toMatch(/exceeded quota: compute/);
    expect(condition(sim, 'deployments.apps', 'web', 'ReplicaFailure')).toBe('');
  },
  'job-retried': (sim) => {
    expect(exits(sim, 'import-')).toBe('Completed 0, Error 1');
    expect(condition(sim, 'jobs.batch', 'import', 'Complete')).not.toBe('');
  },
  'init-retried': (sim) => {
    expect([exits(sim, 'orders-'), allReady(sim, 'orders-')]).toEqual(['Completed 0, none', true]);
  },
  'job-suspended': (sim) => {
    expect(condition(sim, 'jobs.batch', 'import', 'Suspended')).toBe('JobSuspended');
    expect(podsOf(sim, 'import-')).toEqual([]);
    expect(events(sim, 'Suspended')).toMatch(/Job suspended$/m);
  },
  'job-resumed': (sim) => {
    expect(condition(sim, 'jobs.batch', 'import', 'Suspended')).toBe('JobResumed');
    expect(podsOf(sim, 'import-').length).toBe(1);
    expect(events(sim, 'Resumed')).toMatch(/Job resumed$/m);
  },
  'cronjob-suspended': (sim) => {
    const [cronJob] = sim.store.list('cronjobs.batch');
    expect([cronJob?.spec?.suspend, cronJob?.status?.lastScheduleTime]).toEqual([true, expect.any(String)]);
    expect(sim.store.list('jobs.batch').map(({ status }) => status?.succeeded)).toEqual([1]);
  },
  'cronjob-resumed': (sim) => {
    const [cronJob] = sim.store.list('cronjobs.batch');
    expect(cronJob?.spec?.suspend).toBe(false);
    expect(sim.store.list('jobs.batch')).toHaveLength(2);
  },
  'rollout-paused': (sim) => {
    expect(condition(sim, 'deployments.apps', 'web', 'Progressing')).toBe('DeploymentPaused');
    expect([sim.store.list('replicasets.apps').length, allReady(sim, 'web-')]).toEqual([1, true]);
  },
  'rollout-resumed': (sim) => {
    expect(condition(sim, 'deployments.apps', 'web', 'Progressing')).toBe('NewReplicaSetAvailable');
    expect([sim.store.list('replicasets.apps').length, allReady(sim, 'web-')]).toEqual([2, true]);
  },
  'job-deadline': (sim) => expect(condition(sim, 'jobs.batch', 'report', 'Failed')).toBe('DeadlineExceeded'),
  'job-backoff': (sim) => {
    expect(condition(sim, 'jobs.batch', 'import', 'Failed')).toBe('BackoffLimitExceeded');
    expect(exits(sim, 'import-')).toBe('Error 2');
  },
  'job-never-ran': (sim) => {
    expect(events(sim, 'Failed')).toContain('403 Forbidden');
    expect(podsOf(sim, 'report-')).toEqual([]);
    expect(condition(sim, 'jobs.batch', 'report', 'Failed')).toBe('DeadlineExceeded');
  },
  'job-ran-late': (sim) => {
    expect(events(sim, 'Failed')).toContain('429 Too Many Requests');
    expect(events(sim, 'Started')).not.toBe('');
    expect(condition(sim, 'jobs.batch', 'report', 'Failed')).toBe('DeadlineExceeded');
  },
  'refused-beside-errors': (sim) => {
    expect(events(sim, 'FailedCreate')).toContain('exceeded quota: compute');
    expect([podsOf(sim, 'redis-'), allReady(sim, 'web-')]).toEqual([[], true]);
  },
  'liveness-rolled-back': (sim) => {
    expect(events(sim, 'Killing')).toContain('failed liveness probe');
    expect([exits(sim, 'web-'), allReady(sim, 'web-')]).toEqual(['none', true]);
  },
  'readiness-rolled-back': (sim) => {
    expect(events(sim, 'Unhealthy')).toContain('Readiness probe failed');
    expect(allReady(sim, 'web-')).toBe(true);
  },
  'slow-start-replaced': (sim) => {
    expect(events(sim, 'Unhealthy')).toContain('Readiness probe failed');
    expect(allReady(sim, 'web-')).toBe(true);
  },
  'statefulset-rolled-back': (sim) => {
    const status = sim.store.get('statefulsets.apps', 'shop', 'db')?.status;
    expect(status).toMatchObject({ replicas: 2, updatedReplicas: 1 });
    expect(status?.currentRevision).toBe(status?.updateRevision);
    expect(waits(sim, 'db-')).toBe('ImagePullBackOff, none');
  },
  'statefulset-crash': (sim) => expect(exits(sim, 'db-')).toBe('Error 3, none'),
  'evicted-again': (sim) => {
    expect(podsOf(sim, 'thumbnails-').filter((pod) => podStatus(pod).reason === 'Evicted')).toHaveLength(4);
  },
  'rollout-stuck': (sim) =>
    expect(condition(sim, 'deployments.apps', 'web', 'Progressing')).toBe('ProgressDeadlineExceeded'),
  'innocent-rollout': (sim) => {
    expect(condition(sim, 'deployments.apps', 'orders', 'Progressing')).toBe('NewReplicaSetAvailable');
    expect(exits(sim, 'orders-db-')).toBe('Error 1');
  },
  'wrong-command': (sim) => {
    expect([exits(sim, 'mailer-'), waits(sim, 'mailer-')]).toEqual(['StartError 128', 'CrashLoopBackOff']);
  },
  'missing-binary': (sim) => expect(exits(sim, 'mailer-')).toBe('Error 127'),
  'daemonset-rollout': (sim) => {
    expect(sim.store.list('controllerrevisions.apps').map(({ revision }) => revision)).toHaveLength(2);
    expect(exits(sim, 'agent-')).toBe('Error 2');
  },
  'sandbox-not-created': (sim) => {
    expect(waits(sim, 'web-')).toBe('ContainerCreating, none');
    expect(events(sim, 'FailedCreatePodSandBox')).toMatch(/subnet\.env: no such file or directory$/);
  },
  'sandbox-recovered': (sim) => {
    expect(events(sim, 'FailedCreatePodSandBox')).not.toBe('');
    expect([waits(sim, 'web-'), allReady(sim, 'web-')]).toEqual(['none', false]);
  },
  'image-pulling': (sim) => {
    expect(waits(sim, 'model-')).toBe('ContainerCreating, none');
    expect(events(sim, 'Pulling')).toBe('Pulling image "registry.example.com/ml/model:v2"');
    expect(events(sim, 'Pulled')).not.toMatch(/Successfully pulled/);
  },
  'image-pulled-slowly': (sim) => {
    expect(events(sim, 'Pulled')).toMatch(/^Successfully pulled image .* in 5m0s /m);
    expect(exits(sim, 'model-')).toBe('Error 1');
  },
  'scheduling-gated': (sim) => {
    const [pod] = podsOf(sim, 'training-');
    expect(pod && podStatus(pod).conditions?.map(({ reason }) => reason)).toEqual(['SchedulingGated']);
  },
  'scheduling-ungated': (sim) => expect(unscheduled(sim, 'training-')).toMatch(/2 Insufficient cpu\./),
  'readiness-gated': (sim) => {
    const [pod] = podsOf(sim, 'web-');
    expect(pod && podStatus(pod).conditions?.map(({ reason }) => reason)).toContain('ReadinessGatesNotReady');
    expect(allReady(sim, 'web-')).toBe(true);
  },
  'readiness-gate-passed': (sim) => {
    const [pod] = podsOf(sim, 'web-');
    const reasons = pod && podStatus(pod).conditions?.map(({ reason }) => reason);
    expect(reasons).toEqual(expect.arrayContaining(['ContainersNotReady', 'Target.FailedHealthChecks']));
    expect(reasons).not.toContain('ReadinessGatesNotReady');
  },
  'init-running': (sim) => expect(waits(sim, 'orders-')).toBe('PodInitializing, none'),
  'init-sidecar-runs': (sim) => {
    const [proxy, app] = statuses(sim, 'orders-');
    expect([proxy?.state.running !== undefined, app?.lastState.terminated?.exitCode]).toEqual([true, 1]);
  },
  'crash-after-init': (sim) => expect(exits(sim, 'orders-')).toBe('Completed 0, Error 3'),
  'job-held': (sim) => {
    expect(exits(sim, 'import-')).toBe('Completed 0, none');
    expect(condition(sim, 'jobs.batch', 'import', 'Complete')).toBe('');
  },
  'job-with-sidecar': (sim) => {
    expect(condition(sim, 'jobs.batch', 'import', 'Complete')).toBe('CompletionsReached');
    // The kubelet stops the sidecar once the others have ended.
    expect(events(sim, 'Killing')).toBe('Stopping container proxy');
  },
  'autoscaler-failing': (sim) => {
    expect(condition(sim, AUTOSCALERS, 'web', 'ScalingActive')).toBe('FailedGetResourceMetric');
    expect(allReady(sim, 'web-')).toBe(true);
  },
  'autoscaler-disabled': (sim) => {
    expect(condition(sim, AUTOSCALERS, 'web', 'ScalingActive')).toBe('ScalingDisabled');
    expect(podsOf(sim, 'web-')).toEqual([]);
  },
  'noisy-but-healthy': (sim) => {
    expect([exits(sim, 'search-'), allReady(sim, 'search-')]).toEqual(['none', true]);
    expect(sim.store.list('events').filter(({ type }) => type === 'Warning')).toEqual([]);
  },
};

it('has a sign to look for in each scenario', async () => {
  const files = await readdir(FOLDER);
  expect(files.map((file) => file.replace('.yaml', '')).toSorted()).toEqual(Object.keys(SIGNS).toSorted());
});

it.each(Object.entries(SIGNS))('%s shows its cause', async (name, check) => {
  const { sim } = await play(join(FOLDER, `${name}.yaml`));
  check(sim);
});

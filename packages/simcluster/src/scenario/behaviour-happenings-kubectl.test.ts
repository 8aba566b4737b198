import { resolve } from 'node:path';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, it, onTestFinished } from 'vitest';
import { kubectl } from '../../../../test/support/oracles/kubectl.ts';
import { startSimCluster } from '../start.ts';

const FOLDER = resolve(import.meta.dirname, '../../../../scenarios/happenings');

/** What the real kubectl must show for each cause: the command, and what it prints. */
const SHOWN: readonly (readonly [string, string, ...RegExp[]])[] = [
  ['oom-container', 'describe pods', /Last State: +Terminated\n +Reason: +OOMKilled\n +Exit Code: +137/],
  [
    'oom-child',
    'describe node node-1',
    /Warning +OOMKilling .*kernel-monitor +Memory cgroup out of memory: Killed process \d+ \(convert\)/,
  ],
  [
    'liveness-kill',
    'describe pods',
    /Warning +Unhealthy +\S+ \(x\d+ over \S+\) +kubelet +(spec\.containers\{app\}: )?Liveness probe failed: Get \\?"http:/,
    /Normal +Killing .*kubelet +(spec\.containers\{app\}: )?Container app failed liveness probe, will be restarted/,
    /Liveness: +http-get http:\/\/:8080\/healthz delay=0s timeout=1s period=10s #success=1 #failure=3/,
  ],
  ['eviction', 'describe pods', /^Reason: +Evicted$/m, /^Message: +The node was low on resource: memory\./m],
  ['image-network', 'get pods', /^web-\S+ +0\/1 +(ErrImagePull|ImagePullBackOff) +/m],
  [
    'missing-key',
    'describe pods',
    /Reason: +CreateContainerConfigError/,
    /Warning +Failed .*Error: couldn't find key password in Secret shop\/web-login/,
  ],
  [
    'missing-config-volume',
    'describe pods',
    /Warning +FailedMount +.* +kubelet +MountVolume\.SetUp failed for volume "files" : configmap "web-files" not found/,
  ],
  ['init-fails', 'get pods', /^orders-\S+ +0\/1 +Init:(CrashLoopBackOff|Error) +/m],
  ['readiness-503', 'get pods', /^catalog-\S+ +0\/1 +Running +0 +/m],
  [
    'unschedulable-taint',
    'describe pods',
    /Warning +FailedScheduling .*default-scheduler +0\/2 nodes are available: 1 node\(s\) didn't match Pod's node affinity\/selector, 1 node\(s\) had untolerated taint\(s\)/,
  ],
  ['preempted', 'get events', /Normal +Preempted +pod\/batch-\S+ +Preempted by pod \S+ on node node-1/],
  ['node-lost', 'get nodes', /^node-1 +NotReady +/m],
  ['node-lost', 'get pods', /^web-\S+ +1\/1 +Terminating +/m],
  [
    'node-rebooted',
    'describe node node-1',
    /Warning +Rebooted .*kubelet +Node node-1 has been rebooted, boot id: /,
  ],
  ['node-rebooted', 'describe pods', /Reason: +Unknown\n +Exit Code: +255/],
  [
    'quota-exceeded',
    'describe replicasets',
    /Warning +FailedCreate .*replicaset-controller +Error creating: pods "\S+" is forbidden: exceeded quota: compute/,
  ],
  [
    'job-deadline',
    'describe jobs',
    /Warning +DeadlineExceeded .*Job was active longer than specified deadline/,
  ],
  ['job-backoff', 'get jobs', /^import +Failed +0\/1 +/m],
  ['rollout-stuck', 'describe deployments', /Progressing +False +ProgressDeadlineExceeded/],
  ['wrong-command', 'get pods', /^mailer-\S+ +0\/1 +CrashLoopBackOff +/m],
  ['wrong-command', 'describe pods', /Reason: +StartError\n +Message: +failed to create containerd task/],
];

it.each(SHOWN.map(([scenario, line, ...expected]) => ({ scenario, line, expected })))(
  '$scenario: kubectl $line',
  async ({ scenario, line, expected }) => {
    const cluster = await startSimCluster({
      scenario: resolve(FOLDER, `${scenario}.yaml`),
      clock: new FakeClock(),
    });
    onTestFinished(() => cluster.close());
    const { stdout, stderr, exitCode } = await kubectl(line.split(' '), cluster);
    expect([exitCode, stderr]).toEqual([0, '']);
    for (const pattern of expected) expect(stdout.toString()).toMatch(pattern);
  },
);

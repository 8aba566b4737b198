import type { VerdictCode } from '../../domain/verdicts/verdict.ts';
import type { Rule } from './make-verdict.ts';
import { podsDeleted, podsTerminating } from './rules/deletion-rules.ts';
import {
  commandNotStarted,
  crashed,
  crashedBySignal,
  endedWithoutFailure,
  initFailed,
  killedByKubelet,
  nodeRebooted,
  oomContainer,
  oomNode,
  probeKilled,
  programMissing,
  stoppedBySignal,
} from './rules/exit-rules.ts';
import { probeFailedBefore, probeKilledBefore, restartedAgain } from './rules/gone-rules.ts';
import { logErrors } from './rules/log-rules.ts';
import { evicted, nodeLost, preempted, unschedulable } from './rules/placement-rules.ts';
import { probeFailed, probeFailing } from './rules/probe-rules.ts';
import { rolloutWaits } from './rules/rollout-rules.ts';
import {
  configMissing,
  containerNotCreated,
  imageNotPulled,
  imagePulling,
  sandboxNotCreated,
  volumeNotReady,
} from './rules/start-rules.ts';
import { initRunning, jobHeld, readinessGated, schedulingGated } from './rules/waiting-rules.ts';
import {
  autoscalerFailing,
  backoffLimitExceeded,
  cronJobSuspended,
  deadlineExceeded,
  jobSuspended,
  oomChild,
  podsRefused,
  rolloutPaused,
  rolloutStuck,
} from './rules/workload-rules.ts';

/** A rule, with the proof that it fires correctly. */
export interface ProvenRule {
  readonly rule: Rule;
  /** The verdict's code there. */
  readonly code: VerdictCode;
  /** In scenarios/happenings. */
  readonly scenario: string;
  /** A scenario there with similar signs, where the rule must not fire. */
  readonly contrary: string;
}

/** All rules, in the order of their verdicts: a cause precedes its effects. */
export const RULES: readonly ProvenRule[] = [
  { rule: nodeLost, code: 'node-lost', scenario: 'node-lost', contrary: 'node-rebooted' },
  { rule: nodeRebooted, code: 'node-rebooted', scenario: 'node-rebooted', contrary: 'crash-after-reboot' },
  { rule: preempted, code: 'preempted', scenario: 'preempted-old-pod', contrary: 'unschedulable-cpu' },
  { rule: evicted, code: 'evicted', scenario: 'eviction', contrary: 'pressure-bystander' },
  { rule: podsRefused, code: 'quota-exceeded', scenario: 'quota-exceeded', contrary: 'unschedulable-cpu' },
  {
    rule: unschedulable,
    code: 'unschedulable',
    scenario: 'unschedulable-cpu',
    contrary: 'missing-config-volume',
  },
  {
    rule: volumeNotReady,
    code: 'volume-in-use',
    scenario: 'volume-multi-attach',
    contrary: 'missing-config-volume',
  },
  { rule: configMissing, code: 'object-missing', scenario: 'missing-configmap', contrary: 'missing-key' },
  { rule: imageNotPulled, code: 'image-tag-missing', scenario: 'image-tag', contrary: 'image-recovered' },
  {
    rule: sandboxNotCreated,
    code: 'sandbox-not-created',
    scenario: 'sandbox-not-created',
    contrary: 'sandbox-recovered',
  },
  { rule: imagePulling, code: 'image-pulling', scenario: 'image-pulling', contrary: 'image-pulled-slowly' },
  {
    rule: containerNotCreated,
    code: 'container-not-created',
    scenario: 'container-not-created',
    contrary: 'wrong-command',
  },
  {
    rule: commandNotStarted,
    code: 'command-not-started',
    scenario: 'wrong-command',
    contrary: 'missing-binary',
  },
  { rule: programMissing, code: 'program-missing', scenario: 'missing-binary', contrary: 'wrong-command' },
  { rule: oomContainer, code: 'oom-container', scenario: 'oom-container', contrary: 'killed-by-hand' },
  { rule: oomNode, code: 'oom-node', scenario: 'oom-node', contrary: 'killed-by-hand' },
  { rule: probeKilled, code: 'probe-killed', scenario: 'liveness-loop', contrary: 'crash-near-probe' },
  {
    rule: probeKilledBefore,
    code: 'probe-killed',
    scenario: 'liveness-rolled-back',
    contrary: 'crashed-then-replaced',
  },
  {
    rule: killedByKubelet,
    code: 'killed-by-kubelet',
    scenario: 'hook-fails',
    contrary: 'stopped-by-sigterm',
  },
  { rule: initFailed, code: 'init-failed', scenario: 'init-fails', contrary: 'crash-after-init' },
  {
    rule: backoffLimitExceeded,
    code: 'backoff-limit-exceeded',
    scenario: 'job-backoff',
    contrary: 'job-retried',
  },
  { rule: crashedBySignal, code: 'crashed-by-signal', scenario: 'segfault', contrary: 'liveness-kill' },
  { rule: crashed, code: 'crashed', scenario: 'crash-with-trace', contrary: 'oom-worker' },
  {
    rule: endedWithoutFailure,
    code: 'ended-without-failure',
    scenario: 'ends-with-0-slowly',
    contrary: 'job-retried',
  },
  {
    rule: restartedAgain,
    code: 'restarted-again',
    scenario: 'crashed-then-replaced',
    contrary: 'image-recovered',
  },
  { rule: stoppedBySignal, code: 'stopped-by-signal', scenario: 'killed-by-hand', contrary: 'drained-node' },
  { rule: probeFailing, code: 'probe-failing', scenario: 'readiness-503', contrary: 'readiness-blip' },
  { rule: probeFailed, code: 'probe-failing', scenario: 'readiness-flaps', contrary: 'readiness-blip' },
  {
    rule: probeFailedBefore,
    code: 'probe-failing',
    scenario: 'readiness-rolled-back',
    contrary: 'slow-start-replaced',
  },
  { rule: deadlineExceeded, code: 'deadline-exceeded', scenario: 'job-deadline', contrary: 'cronjob-slow' },
  { rule: oomChild, code: 'oom-child', scenario: 'oom-child', contrary: 'oom-worker' },
  { rule: podsDeleted, code: 'pods-deleted', scenario: 'drained-old-pods', contrary: 'scaled-down-old-pods' },
  {
    rule: podsTerminating,
    code: 'pods-terminating',
    scenario: 'terminating-slowly',
    contrary: 'scaled-down-slowly',
  },
  {
    rule: schedulingGated,
    code: 'scheduling-gated',
    scenario: 'scheduling-gated',
    contrary: 'scheduling-ungated',
  },
  {
    rule: readinessGated,
    code: 'readiness-gated',
    scenario: 'readiness-gated',
    contrary: 'readiness-gate-passed',
  },
  { rule: initRunning, code: 'init-running', scenario: 'init-running', contrary: 'init-sidecar-runs' },
  { rule: jobHeld, code: 'job-held', scenario: 'job-held', contrary: 'job-with-sidecar' },
  { rule: jobSuspended, code: 'job-suspended', scenario: 'job-suspended', contrary: 'job-resumed' },
  { rule: rolloutStuck, code: 'rollout-stuck', scenario: 'rollout-stuck', contrary: 'rollout-paused' },
  {
    rule: rolloutWaits,
    code: 'rollout-waits',
    scenario: 'statefulset-rolled-back',
    contrary: 'statefulset-crash',
  },
  {
    rule: autoscalerFailing,
    code: 'autoscaler-failing',
    scenario: 'autoscaler-failing',
    contrary: 'autoscaler-disabled',
  },
  { rule: logErrors, code: 'log-errors', scenario: 'innocent-rollout', contrary: 'noisy-but-healthy' },
  // Somebody wants these, and they leave pods running: they cause none of the above.
  {
    rule: cronJobSuspended,
    code: 'cronjob-suspended',
    scenario: 'cronjob-suspended',
    contrary: 'cronjob-resumed',
  },
  { rule: rolloutPaused, code: 'rollout-paused', scenario: 'rollout-paused', contrary: 'rollout-resumed' },
];

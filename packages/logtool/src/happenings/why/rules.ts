import type { Rule } from './make-verdict.ts';
import {
  commandNotStarted,
  crashed,
  crashedBySignal,
  endedWithoutFailure,
  initFailed,
  nodeRebooted,
  oomContainer,
  probeKilled,
  programMissing,
  stoppedBySignal,
} from './rules/exit-rules.ts';
import { evicted, nodeLost, podsDeleted, preempted, unschedulable } from './rules/placement-rules.ts';
import { configMissing, containerNotCreated, imageNotPulled, volumeNotReady } from './rules/start-rules.ts';
import {
  backoffLimitExceeded,
  deadlineExceeded,
  oomChild,
  podsRefused,
  probeFailing,
  rolloutStuck,
} from './rules/workload-rules.ts';

/** Every rule, in the order in which its verdicts are given: what leads to something else stands before it. */
export const RULES: readonly Rule[] = [
  nodeLost,
  nodeRebooted,
  preempted,
  evicted,
  podsRefused,
  unschedulable,
  volumeNotReady,
  configMissing,
  imageNotPulled,
  containerNotCreated,
  commandNotStarted,
  programMissing,
  oomContainer,
  probeKilled,
  initFailed,
  backoffLimitExceeded,
  deadlineExceeded,
  crashedBySignal,
  crashed,
  endedWithoutFailure,
  stoppedBySignal,
  probeFailing,
  oomChild,
  podsDeleted,
  rolloutStuck,
];

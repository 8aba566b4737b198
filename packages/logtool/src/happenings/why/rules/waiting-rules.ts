import type { Fact } from '../../../domain/facts/fact.ts';
import { type Evidence, factsOf, podOf } from '../evidence.ts';
import { groupsOf } from '../groups-of.ts';
import { makeVerdict, type Rule } from '../make-verdict.ts';
import type { PodNow } from '../pod-now.ts';

/** Proof: the pod's condition. Somebody else must remove the gate before the scheduler sees the pod. */
export const schedulingGated: Rule = (evidence) => {
  const gated = factsOf(evidence, 'unschedulable').filter(({ reason }) => reason === 'SchedulingGated');
  return groupsOf(gated, ({ message }) => message).map((group) =>
    makeVerdict(evidence, 'scheduling-gated', { message: group[0].message }, group),
  );
};

/** Proof: the reason of the pod's condition Ready: its containers are ready, and another condition is not. */
export const readinessGated: Rule = (evidence) => {
  const gated = factsOf(evidence, 'not-ready').filter(
    ({ reason, subject }) =>
      reason === 'ReadinessGatesNotReady' && podOf(evidence, subject)?.isReady === false,
  );
  return groupsOf(gated, ({ message }) => message).map((group) =>
    makeVerdict(evidence, 'readiness-gated', { message: group[0].message }, group),
  );
};

/** Proof: an init container runs, and its pod is not ready: the others start after it. */
export const initRunning: Rule = (evidence) => {
  const starts = startsOf(evidence, ({ isInit, isRunning }) => isInit && isRunning);
  return groupsOf(starts, ({ subject }) => subject.container ?? '').map((group) => {
    const container = group[0].subject.container ?? '';
    return makeVerdict(evidence, 'init-running', { container }, group, { container });
  });
};

/** Proof: a container of a Job's pod has ended with 0, and another runs: the pod, and the Job, end after it. */
export const jobHeld: Rule = (evidence) => {
  const ends = factsOf(evidence, 'exited').filter(({ subject, data }) => {
    const pod = podOf(evidence, subject);
    const own = pod?.containers.find(({ name }) => name === subject.container);
    return (
      pod?.owner?.kind === 'Job' &&
      data.exitCode === 0 &&
      !data.isInit &&
      own?.isRunning === false &&
      runningOf(pod).length > 0
    );
  });
  return groupsOf(ends, ({ subject }) => subject.container ?? '').map((group) => {
    const running = runningOf(podOf(evidence, group[0].subject));
    const data = { container: group[0].subject.container ?? '', running };
    return makeVerdict(evidence, 'job-held', data, group, { isOver: false });
  });
};

function runningOf(pod: PodNow | undefined): readonly string[] {
  return pod?.containers.filter(({ isRunning }) => isRunning).map(({ name }) => name) ?? [];
}

/** Returns the last start of each such container of a pod that is not ready. */
function startsOf(
  evidence: Evidence,
  isWanted: (container: PodNow['containers'][number]) => boolean,
): readonly Fact[] {
  const starts = [...factsOf(evidence, 'started'), ...factsOf(evidence, 'restarted')];
  return evidence.pods
    .filter(({ isReady, isOver, isDeleting }) => !isReady && !isOver && !isDeleting)
    .flatMap(({ subject, containers }) =>
      containers
        .filter(isWanted)
        .flatMap(
          ({ name }) =>
            starts.findLast((fact) => fact.subject.uid === subject.uid && fact.subject.container === name) ??
            [],
        ),
    );
}

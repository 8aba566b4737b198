import type { Fact, FactOf } from '../../../domain/facts/fact.ts';
import { foldEvents } from '../../../domain/facts/fold-events.ts';
import type { Doubt } from '../../../domain/verdicts/verdict.ts';
import { AUTOSCALERS } from '../../resources.ts';
import { type Evidence, eventsOf, factsOf, lastSecond, nodeOf, wantedPods } from '../evidence.ts';
import { groupsOf, mapGroup } from '../groups-of.ts';
import { makeVerdict, type Rule } from '../make-verdict.ts';
import { KERNEL_KILLS, nodeOomOf, oomProcessOf } from './out-of-memory.ts';

/** Proof: the controller's condition, else its events: it cannot create pods. */
export const podsRefused: Rule = (evidence) => {
  const conditions = factsOf(evidence, 'workload-condition').filter(
    ({ data }) => data.type === 'ReplicaFailure' && data.status === 'True',
  );
  const events = eventsOf(evidence, 'FailedCreate').filter(({ message }) => message !== '');
  const isMade = isMadeAfter(evidence);
  const isOverFor = (of: 'Job' | undefined, own: readonly Fact[]) =>
    conditions.length === 0 && (own.every(isMade) || (of === undefined && hasAllPods(evidence)));
  const reported = [...conditions, ...events].map((fact) => {
    const answer = withoutName(fact.message);
    const [, quota, message = ''] = /exceeded quota: ([^,]+), (.*)$/s.exec(answer) ?? [];
    const of = fact.subject.kind === 'CronJob' ? ('Job' as const) : undefined;
    return { fact, answer, quota, message, of };
  });
  // The numbers of a quota differ from one refusal to the next.
  const keyOf = ({ answer, quota, of }: (typeof reported)[number]) =>
    `${of} ${quota === undefined ? answer : `quota ${quota}`}`;
  return groupsOf(reported, keyOf).map((group) => {
    const { answer, quota, message, of } = group.at(-1) ?? group[0];
    const proof = mapGroup(group, ({ fact }) => fact);
    const isOver = isOverFor(of, of === undefined ? events : proof);
    const extra = { pods: [], isOver };
    const created = of && { of };
    return quota === undefined
      ? makeVerdict(evidence, 'pods-refused', { message: answer, ...created }, proof, extra)
      : makeVerdict(evidence, 'quota-exceeded', { quota, message, ...created }, proof, extra);
  });
};

/** Whether the same controller created a pod after it last failed to. */
function isMadeAfter(evidence: Evidence) {
  const made = eventsOf(evidence, 'SuccessfulCreate');
  return (failure: Fact) =>
    made.some((fact) => fact.subject.uid === failure.subject.uid && lastSecond(fact) > lastSecond(failure));
}

/**
 * Whether as many pods exist as are wanted: nothing is refused any more, unless a rollout needs more for a
 * time; its controller then has a condition.
 */
function hasAllPods(evidence: Evidence): boolean {
  const wanted = evidence.unread.has('workloads') ? undefined : wantedPods(evidence);
  const existing = evidence.pods.filter(({ isOver, isDeleting }) => !isOver && !isDeleting);
  return wanted !== undefined && existing.length >= wanted;
}

/**
 * Removes pod names, so that equal refusals match (pkg/controller/controller_utils.go; pkg/controller/statefulset,
 * recordPodEvent).
 */
function withoutName(message: string): string {
  return message
    .replace(/^Error creating(?: job)?: /, '')
    .replace(/^create Pod \S+ in StatefulSet \S+ failed error: /, '')
    .replace(/^(?:pods|jobs\.batch) "[^"]*" is forbidden: /, '');
}

/** Proof: the Job's condition, or the pod's status. */
export const deadlineExceeded: Rule = (evidence) => {
  const jobs = jobFailures(evidence, 'DeadlineExceeded');
  const pods = factsOf(evidence, 'failed').filter(({ reason }) => reason === 'DeadlineExceeded');
  const events = eventsOf(evidence, 'DeadlineExceeded').filter(({ subject }) => subject.kind === 'Job');
  return jobGroups(evidence, [...jobs, ...pods, ...events]).map(({ group, name, count, isOver }) => {
    const { kind } = group[0].subject;
    return makeVerdict(evidence, 'deadline-exceeded', { kind, name, count }, group, { isOver });
  });
};

/** Proof: the Job's condition. */
export const backoffLimitExceeded: Rule = (evidence) => {
  const events = eventsOf(evidence, 'BackoffLimitExceeded').filter(({ subject }) => subject.kind === 'Job');
  const facts: readonly Fact[] = [...jobFailures(evidence, 'BackoffLimitExceeded'), ...events];
  return jobGroups(evidence, facts).map(({ group, name, count, isOver }) =>
    makeVerdict(evidence, 'backoff-limit-exceeded', { name, count }, group, { isOver }),
  );
};

/** Proof: the Job's condition. Its controller has deleted its pods, and creates none. */
export const jobSuspended: Rule = (evidence) => {
  const facts = factsOf(evidence, 'workload-condition').filter(
    ({ subject, data }) => subject.kind === 'Job' && data.type === 'Suspended' && data.status === 'True',
  );
  return jobGroups(evidence, facts).map(({ group, name, count }) =>
    makeVerdict(evidence, 'job-suspended', { name, count }, group, { isOver: false }),
  );
};

/** Proof: the spec of the CronJob. What its Jobs did before is another verdict. */
export const cronJobSuspended: Rule = (evidence) =>
  pausesOf(evidence, 'CronJob').map((fact) => {
    const data = { name: fact.subject.name, active: fact.data.active ?? 0 };
    return makeVerdict(evidence, 'cronjob-suspended', data, [fact], ofPause(fact));
  });

/** Proof: the spec of the Deployment. Its pods keep running, also those with an earlier template. */
export const rolloutPaused: Rule = (evidence) =>
  pausesOf(evidence, 'Deployment').map((fact) => {
    const { updated, replicas } = fact.data;
    const data = { name: fact.subject.name, updated, replicas };
    return makeVerdict(evidence, 'rollout-paused', data, [fact], ofPause(fact));
  });

function ofPause({ bound }: Fact) {
  const doubts: readonly Doubt[] = bound === undefined ? [] : [{ code: 'begin-unknown', data: {} }];
  return { isOver: false, doubts };
}

/** Returns the last report of each paused object. */
function pausesOf(evidence: Evidence, kind: string): readonly FactOf<'paused'>[] {
  const facts = factsOf(evidence, 'paused').filter(({ subject }) => subject.kind === kind);
  return [...new Map(facts.map((fact) => [fact.subject.uid, fact])).values()];
}

/**
 * Groups the facts of each failed or suspended object, or those of all Jobs of a CronJob: these are one trouble, which is over once
 * a later Job completes. `name`: the last that failed. `count`: their number, if there are several.
 */
function jobGroups(evidence: Evidence, facts: readonly Fact[]) {
  const isCronJob = evidence.subject?.kind === 'CronJob';
  // What a timeline shows as one row is one line of proof, which leads there.
  return groupsOf(foldEvents(facts), ({ subject }) => (isCronJob ? subject.kind : subject.uid)).map(
    (group) => {
      const last = group.reduce((a, b) => (lastSecond(b) >= lastSecond(a) ? b : a), group[0]);
      const count = new Set(group.map(({ subject }) => subject.uid)).size;
      const isOver =
        isCronJob &&
        factsOf(evidence, 'workload-condition').some(
          ({ at, subject, data }) =>
            subject.kind === 'Job' &&
            data.type === 'Complete' &&
            data.status === 'True' &&
            at.seconds >= lastSecond(last),
        );
      return { group, name: last.subject.name, count: count === 1 ? undefined : count, isOver };
    },
  );
}

function jobFailures(evidence: Evidence, reason: string): readonly FactOf<'workload-condition'>[] {
  return factsOf(evidence, 'workload-condition').filter(
    (fact) => fact.subject.kind === 'Job' && fact.reason === reason && fact.data.status === 'True',
  );
}

/**
 * Proof: the condition of the autoscaler, for some time: the metrics of new pods need a while. Ready pods can then be too
 * few, but nothing shows that they are.
 */
export const autoscalerFailing: Rule = (evidence) => {
  const facts = factsOf(evidence, 'workload-condition').filter(
    ({ at, severity, data }) =>
      AUTOSCALING.includes(data.type) &&
      severity === 'warning' &&
      at.seconds <= evidence.now.seconds - METRICS_SECONDS,
  );
  // One event counts all failures, also those of an earlier trouble.
  const events = factsOf(evidence, 'event').filter(
    ({ subject, severity }) => subject.kind === AUTOSCALERS.kind && severity === 'warning',
  );
  return groupsOf(facts, ({ message }) => message).map((group) => {
    const [{ at, message }] = group;
    const extra = { isOver: false, since: at };
    return makeVerdict(evidence, 'autoscaler-failing', { message }, [...group, ...events], extra);
  });
};

const AUTOSCALING: readonly string[] = ['AbleToScale', 'ScalingActive'];
/** The metrics of a pod come at the latest two minutes after its start, at the usual intervals. */
const METRICS_SECONDS = 180;

/** Reasons of the condition Progressing (pkg/controller/deployment/util/deployment_util.go). */
const STUCK: readonly string[] = ['ProgressDeadlineExceeded', 'ReplicaSetCreateError'];

/** Proof: the Deployment's condition. */
export const rolloutStuck: Rule = (evidence) =>
  factsOf(evidence, 'workload-condition')
    .filter(({ reason, data }) => STUCK.includes(reason) && data.status === 'False')
    .map((fact) => {
      const isRefused = fact.reason === 'ReplicaSetCreateError';
      // A refused rollout has no ReplicaSet, so that the known ones are earlier.
      const rollout = isRefused
        ? undefined
        : factsOf(evidence, 'rollout').findLast(({ subject }) => subject.uid === fact.subject.uid);
      const images = (rollout?.data.images ?? []).filter(({ from }) => from !== undefined);
      const proof: readonly [Fact, ...Fact[]] = rollout === undefined ? [fact] : [fact, rollout];
      const pods = evidence.pods
        .filter(({ isReady, isOver }) => !isReady && !isOver)
        .map(({ subject }) => subject);
      const refusal = isRefused ? fact.message : undefined;
      const data = { name: fact.subject.name, images, refusal };
      return makeVerdict(evidence, 'rollout-stuck', data, proof, {
        pods,
        isOver: false,
      });
    });

/**
 * Proof: the kernel's report on the node, and a line of a container in view that names the process at that
 * time. The report names no container.
 */
export const oomChild: Rule = (evidence) =>
  eventsOf(evidence, ...KERNEL_KILLS).flatMap((fact) => {
    const process = oomProcessOf(fact);
    const lines = evidence.lines.get(fact.id);
    if (process === undefined || lines === undefined || 'failed' in lines) return [];
    // A container that ended with it is another verdict.
    if (factsOf(evidence, 'exited').some((exit) => nodeOomOf(exit, evidence) === fact)) return [];
    const pod = evidence.pods.find(({ subject }) => subject.name === lines.pod);
    if (pod === undefined || nodeOf(evidence, pod.subject) !== fact.subject.name) return [];
    const data = { container: lines.container, process, node: fact.subject.name };
    const verdict = makeVerdict(evidence, 'oom-child', data, [fact], {
      pods: [pod.subject],
      isOver: true,
      container: lines.container,
      doubts: [{ code: 'process-by-name', data: { process } }],
    });
    return [{ ...verdict, lines }];
  });

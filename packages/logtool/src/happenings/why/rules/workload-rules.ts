import type { Fact, FactOf } from '../../../domain/facts/fact.ts';
import { type Evidence, eventsOf, factsOf, nodeOf } from '../evidence.ts';
import { groupsOf } from '../groups-of.ts';
import { makeVerdict, type Rule } from '../make-verdict.ts';
import { oomProcessOf } from './exit-rules.ts';

/** Proof: the controller's condition, else its newest events: it cannot create pods. */
export const podsRefused: Rule = (evidence) => {
  const conditions = factsOf(evidence, 'workload-condition').filter(
    ({ data }) => data.type === 'ReplicaFailure' && data.status === 'True',
  );
  const events = eventsOf(evidence, 'FailedCreate').filter(({ message }) => message !== '');
  const made = eventsOf(evidence, 'SuccessfulCreate').at(-1);
  const isOver =
    conditions.length === 0 && made !== undefined && made.at.seconds >= (events.at(-1)?.at.seconds ?? 0);
  const reported = [...conditions, ...events].map((fact) => ({ fact, answer: withoutName(fact.message) }));
  return groupsOf(reported, ({ answer }) => answer).map((group) => {
    const [{ answer }] = group;
    const proof = group.map(({ fact }) => fact) as unknown as readonly [Fact, ...Fact[]];
    const quota = /exceeded quota: ([^,]+), (.*)$/s.exec(answer);
    const extra = { pods: [], isOver };
    return quota === null
      ? makeVerdict(evidence, 'pods-refused', { message: answer }, proof, extra)
      : makeVerdict(
          evidence,
          'quota-exceeded',
          { quota: quota[1] ?? '', message: quota[2] ?? '' },
          proof,
          extra,
        );
  });
};

/** Removes pod names, so that equal refusals match. */
function withoutName(message: string): string {
  return message.replace(/^Error creating: /, '').replace(/^pods "[^"]*" is forbidden: /, '');
}

/** Proof: the Job's condition, or the pod's status. */
export const deadlineExceeded: Rule = (evidence) => {
  const jobs = jobFailures(evidence, 'DeadlineExceeded');
  const pods = factsOf(evidence, 'failed').filter(({ reason }) => reason === 'DeadlineExceeded');
  const events = eventsOf(evidence, 'DeadlineExceeded').filter(({ subject }) => subject.kind === 'Job');
  return groupsOf<Fact>([...jobs, ...pods, ...events], ({ subject }) => subject.uid).map((group) => {
    const { kind, name } = group[0].subject;
    return makeVerdict(evidence, 'deadline-exceeded', { kind, name }, group, { isOver: false });
  });
};

/** Proof: the Job's condition. */
export const backoffLimitExceeded: Rule = (evidence) => {
  const events = eventsOf(evidence, 'BackoffLimitExceeded').filter(({ subject }) => subject.kind === 'Job');
  const facts: readonly Fact[] = [...jobFailures(evidence, 'BackoffLimitExceeded'), ...events];
  return groupsOf(facts, ({ subject }) => subject.uid).map((group) =>
    makeVerdict(evidence, 'backoff-limit-exceeded', { name: group[0].subject.name }, group, {
      isOver: false,
    }),
  );
};

function jobFailures(evidence: Evidence, reason: string): readonly FactOf<'workload-condition'>[] {
  return factsOf(evidence, 'workload-condition').filter(
    (fact) => fact.subject.kind === 'Job' && fact.reason === reason && fact.data.status === 'True',
  );
}

/** Proof: the Deployment's condition. */
export const rolloutStuck: Rule = (evidence) =>
  factsOf(evidence, 'workload-condition')
    .filter(({ reason, data }) => reason === 'ProgressDeadlineExceeded' && data.status === 'False')
    .map((fact) => {
      const rollout = factsOf(evidence, 'rollout').findLast(
        ({ subject }) => subject.uid === fact.subject.uid,
      );
      const images = (rollout?.data.images ?? []).filter(({ from }) => from !== undefined);
      const proof: readonly [Fact, ...Fact[]] = rollout === undefined ? [fact] : [fact, rollout];
      const pods = evidence.pods
        .filter(({ isReady, isOver }) => !isReady && !isOver)
        .map(({ subject }) => subject);
      return makeVerdict(evidence, 'rollout-stuck', { name: fact.subject.name, images }, proof, {
        pods,
        isOver: false,
      });
    });

/**
 * Proof: the kernel's report on the node, and a line of a container in view that names the process at that
 * time. The report names no container.
 */
export const oomChild: Rule = (evidence) =>
  eventsOf(evidence, 'OOMKilling').flatMap((fact) => {
    const process = oomProcessOf(fact);
    const lines = evidence.lines.get(fact.id);
    if (process === undefined || lines === undefined || 'failed' in lines) return [];
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

import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { Fact } from '../../../domain/facts/fact.ts';
import type { Doubt, Probe } from '../../../domain/verdicts/verdict.ts';
import { type Evidence, eventsOf, factsOf, lastSecond, podOf } from '../evidence.ts';
import { groupsOf, mapGroup } from '../groups-of.ts';
import { earliestOf, makeVerdict, type Rule } from '../make-verdict.ts';
import { type ContainerNow, containerOf } from '../pod-now.ts';
import { answerOf } from './exit-rules.ts';
import { probeSecondsOf } from './probe-signs.ts';

/**
 * Proof: the status of a container that runs but is not ready, or not started, and the kubelet's event that
 * its probe failed in this run. The pod's readiness proves nothing about one of its containers.
 */
export const probeFailing: Rule = (evidence) => {
  const failures = eventsOf(evidence, 'Unhealthy').flatMap((fact) => {
    const probe = /^(Readiness|Startup) probe/.exec(fact.message)?.[1]?.toLowerCase() as Probe | undefined;
    const container = containerOf(podOf(evidence, fact.subject), fact.subject.container);
    return probe !== undefined && isFailing(container, probe, fact) ? [{ fact, probe }] : [];
  });
  return groupsOf(failures, ({ fact, probe }) => `${fact.subject.container} ${probe}`).map((group) => {
    const [{ probe }] = group;
    const facts = mapGroup(group, ({ fact }) => fact);
    const uids = new Set(facts.map(({ subject }) => subject.uid));
    const lost = factsOf(evidence, 'not-ready').filter(({ subject }) => uids.has(subject.uid));
    const container = facts[0].subject.container ?? '';
    const answer = answerOf(facts.at(-1)) ?? '';
    return makeVerdict(evidence, 'probe-failing', { container, probe, answer }, [...facts, ...lost], {
      container,
      since: sinceOf(evidence, facts, lost, probe),
      doubts: ageDoubts(evidence, facts),
    });
  });
};

/**
 * Proof: the pod became ready after as many failures of its readiness probe in a row as make it not ready, long after
 * its container started: a slow start is none.
 */
export const probeFailed: Rule = (evidence) => {
  const failures = eventsOf(evidence, 'Unhealthy').flatMap((fact) => {
    const ready = /^Readiness probe/.test(fact.message) ? readyAfter(evidence, fact) : undefined;
    return ready === undefined ? [] : [{ fact, ready }];
  });
  return groupsOf(failures, ({ fact }) => fact.subject.container ?? '').map((group) => {
    const container = group[0].fact.subject.container ?? '';
    const facts = [...mapGroup(group, ({ fact }) => fact), ...group.map(({ ready }) => ready)] as const;
    const answer = answerOf(group.at(-1)?.fact) ?? '';
    const data = { container, probe: 'readiness', answer } as const;
    return makeVerdict(evidence, 'probe-failing', data, facts, { container, isOver: true });
  });
};

/** Returns when the pod became ready again, if the failures had made it not ready. */
function readyAfter(evidence: Evidence, failure: Fact): Fact | undefined {
  const container = containerOf(podOf(evidence, failure.subject), failure.subject.container);
  const threshold = container?.probeThresholds.readiness;
  if (container?.isReady !== true || threshold === undefined || failure.count < threshold) return undefined;
  const begun = container.runsSince?.seconds ?? 0;
  return factsOf(evidence, 'ready').findLast(
    ({ subject, at }) =>
      subject.uid === failure.subject.uid &&
      at.seconds > begun + START_SECONDS &&
      at.seconds >= lastSecond(failure) &&
      at.seconds - lastSecond(failure) <=
        EVENT_SECONDS + probeSecondsOf(evidence, failure.subject, 'readiness'),
  );
}

/** A start may take so long. */
export const START_SECONDS = 300;
/** A kubelet that drops events sends one of a pod in so many seconds. */
const EVENT_SECONDS = 300;

/** A readiness probe runs only after the startup probe succeeded. */
function isFailing(container: ContainerNow | undefined, probe: Probe, fact: Fact): boolean {
  if (container?.isRunning !== true || container.isReady) return false;
  if (probe === 'startup' ? container.isStarted === true : container.isStarted === false) return false;
  return lastSecond(fact) >= (container.runsSince?.seconds ?? 0) - 1;
}

/**
 * Returns the first of these failures. One event counts all failures in the life of a container: if it began
 * before what made the pod not ready, only the time of that is known.
 */
function sinceOf(
  evidence: Evidence,
  failures: readonly Fact[],
  lost: readonly Fact[],
  probe: Probe,
): Timestamp {
  const signs = failures.map((failure) => {
    const seconds = probeSecondsOf(evidence, failure.subject, probe);
    const own = lost.find(({ subject }) => subject.uid === failure.subject.uid);
    return own === undefined || own.at.seconds - failure.at.seconds <= seconds ? failure : own;
  });
  return earliestOf(signs);
}

/** The status shows that the probe does not succeed now; an old event does not show its answer of now. */
function ageDoubts({ now }: Evidence, failures: readonly Fact[]): readonly Doubt[] {
  const seconds = now.seconds - Math.max(...failures.map(lastSecond));
  return seconds <= OLD_SECONDS
    ? []
    : [{ code: 'probe-answer-old', data: { minutes: Math.floor(seconds / 60) } }];
}

/** The kubelet sends at least one event of a pod in five minutes; other events of the pod may take its place. */
const OLD_SECONDS = 600;

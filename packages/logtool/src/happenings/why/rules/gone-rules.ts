import type { Fact, FactOf } from '../../../domain/facts/fact.ts';
import type { Probe } from '../../../domain/verdicts/verdict.ts';
import { type Evidence, eventsOf, factsOf, lastSecond, podOf } from '../evidence.ts';
import { groupsOf, mapGroup } from '../groups-of.ts';
import { isOfFailedJob, makeVerdict, type Rule } from '../make-verdict.ts';
import { stopsOfGonePods } from './deletion-rules.ts';
import { causeOfExit } from './exit-cause.ts';
import { answerOf, isRestartDelay } from './exit-rules.ts';
import { mayHaveDropped, probeOf } from './kubelet-kills.ts';
import { START_SECONDS } from './probe-rules.ts';
import { firstSignOf } from './probe-signs.ts';

type Event = FactOf<'event'>;

/** Proof: the kubelet's events that it kills a container, because a probe failed. Its pod, with its ends, is gone. */
export const probeKilledBefore: Rule = (evidence) => {
  const kills = killsOfGone(evidence);
  return groupsOf(kills, ({ fact, probe }) => `${fact.subject.container} ${probe}`).map((group) => {
    const [{ fact, probe }] = group;
    const container = fact.subject.container ?? '';
    const signs = mapGroup(group, (each) => each.fact);
    const keys = new Set(signs.map(keyOf));
    const isOwn = (each: Fact) => keys.has(keyOf(each));
    const failures = failuresOf(evidence, probe).filter(isOwn);
    const backOffs = eventsOf(evidence, 'BackOff').filter((each) => isOwn(each) && isRestartDelay(each));
    const data = { container, probe, answer: answerOf(failures.at(-1)) };
    const proof = [...signs, ...failures, ...backOffs] as const;
    const since = firstSignOf(evidence, { signs, failures, container, probe });
    return makeVerdict(evidence, 'probe-killed', data, proof, { container, since });
  });
};

/**
 * Proof: the kubelet's back-off before it started a container again. No end of the container is known that has a cause:
 * its pod is gone, or its status no longer has it.
 */
export const restartedAgain: Rule = (evidence) => {
  const known = endsKnown(evidence);
  const kills = killsOfGone(evidence);
  const isKilled = (backOff: Fact) =>
    kills.some(({ fact }) => keyOf(fact) === keyOf(backOff) && fact.at.seconds <= backOff.at.seconds);
  const backOffs = eventsOf(evidence, 'BackOff').filter(
    (fact) => isRestartDelay(fact) && !known.has(keyOf(fact)) && !isKilled(fact),
  );
  return groupsOf(backOffs, ({ subject }) => subject.container ?? '').map((group) => {
    const container = group[0].subject.container ?? '';
    return makeVerdict(evidence, 'restarted-again', { container }, group, {
      container,
      ...(group.some(({ subject }) => isOfFailedJob(evidence, subject)) ? { isOver: false } : {}),
      doubts: [{ code: 'ends-unknown', data: {} }],
    });
  });
};

/** Returns the kubelet's events that it kills a container of a pod that is gone, because a probe failed. */
function killsOfGone(evidence: Evidence) {
  return eventsOf(evidence, 'Killing').flatMap((fact) => {
    const probe = probeOf(fact);
    return probe === undefined || podOf(evidence, fact.subject) !== undefined ? [] : [{ fact, probe }];
  });
}

/** Returns the containers of which an end is known that has a cause. */
function endsKnown(evidence: Evidence): ReadonlySet<string> {
  return new Set(
    factsOf(evidence, 'exited').flatMap((exit) =>
      causeOfExit(exit, evidence) === undefined ? [] : keyOf(exit),
    ),
  );
}

/** Returns the key of the container that a fact is about. */
function keyOf({ subject: { uid, container } }: Fact): string {
  return `${uid}/${container}`;
}

function failuresOf(evidence: Evidence, probe: Probe): readonly Event[] {
  return eventsOf(evidence, 'Unhealthy').filter(({ message }) => message.toLowerCase().startsWith(probe));
}

/**
 * Proof: the readiness probe of a container failed again and again until its pod, which is gone, was stopped. The kubelet
 * goes on probing readiness while it stops a container (pkg/kubelet/prober, doProbe), so failures from then on are none.
 */
export const probeFailedBefore: Rule = (evidence) => {
  const stops = new Map<Event, number>();
  for (const fact of failuresOf(evidence, 'readiness')) {
    const stop = stopOf(evidence, fact);
    if (stop !== undefined && hasFailedUntil(evidence, fact, stop)) stops.set(fact, stop);
  }
  const failures = [...stops.keys()];
  return groupsOf(failures, ({ subject }) => subject.container ?? '').map((group) => {
    const container = group[0].subject.container ?? '';
    const answer = answerOf(group.at(-1)) ?? '';
    const isShort = group.every((fact) => (stops.get(fact) ?? 0) - fact.at.seconds < START_SECONDS);
    return makeVerdict(evidence, 'probe-failing', { container, probe: 'readiness', answer }, group, {
      container,
      isOver: true,
      doubts: isShort ? [{ code: 'slow-start-possible', data: {} }] : [],
    });
  });
};

/** Returns when the pod of a failure, which is gone, was stopped, in seconds: by the kubelet's or its controller's event. */
function stopOf(evidence: Evidence, failure: Event): number | undefined {
  const { uid, name, namespace } = failure.subject;
  if (podOf(evidence, failure.subject) !== undefined) return undefined;
  const kills = stopsOfGonePods(evidence).filter(({ subject }) => subject.uid === uid);
  const deletions = eventsOf(evidence, 'SuccessfulDelete').filter(
    ({ subject, message, at }) =>
      subject.namespace === namespace &&
      message.split(' ').includes(name) &&
      at.seconds >= failure.at.seconds,
  );
  const stops = [...kills, ...deletions];
  return stops.length === 0 ? undefined : Math.min(...stops.map(({ at }) => at.seconds));
}

/** Whether a probe failed for some time, and until shortly before `stop`: the spec of the container is not known. */
function hasFailedUntil(evidence: Evidence, fact: Event, stop: number): boolean {
  const seconds = stop - fact.at.seconds;
  const silence = mayHaveDropped(fact, evidence) ? DROPPED_SECONDS : SILENT_SECONDS;
  const isDense = seconds <= fact.count * silence;
  return fact.count >= FAILURES && seconds >= MIN_SECONDS && isDense && stop - lastSecond(fact) <= silence;
}

/** As many failures make a container not ready by default (k8s.io/kubernetes/pkg/apis/core/v1, SetDefaults_Probe). */
const FAILURES = 3;
/** A container that is stopped sooner after its first failure was still starting. */
const MIN_SECONDS = 60;
/** Maximum time between two probes, and between two events if the kubelet drops some. */
const SILENT_SECONDS = 60;
const DROPPED_SECONDS = 330;

import { compareTimestamps, latestTime, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { type Fact, isAtLeast } from '../../domain/facts/fact.ts';
import { type Evidence, eventsOf, factsOf, lastSecond, readyPods, wantedPods } from './evidence.ts';
import type { PodNow } from './pod-now.ts';

/** Events of pods that could not start, or of pods that could not be made: none is a verdict once it is over. */
const START_FAILURES: ReadonlySet<string> = new Set([
  'ErrImageNeverPull',
  'Failed',
  'FailedAttachVolume',
  'FailedCreate',
  'FailedCreatePodSandBox',
  'FailedMount',
  'FailedScheduling',
  'InspectFailed',
  'InvalidImageName',
]);

/**
 * Returns since when a workload that is well now is known to have been: since as many of its pods are ready as it wants,
 * and after the last failure of a start, which can also be that of a pod that is gone. How pods were that have been
 * replaced, no status keeps; only a Deployment that reports to be available may vouch for them. `from`: from when on the
 * facts are known.
 */
export function healthySince(evidence: Evidence, from: Timestamp): Timestamp {
  const failures = evidence.facts.filter(isStartFailure);
  const failed = new Set(failures.map(({ subject: { uid } }) => uid));
  const begun = evidence.pods.flatMap((pod) => (failed.has(pod.subject.uid) ? startOf(pod) : []));
  const ends = failures.map((fact) => ({ seconds: lastSecond(fact), nanos: 0 }));
  return latestTime([from, ...ends, ...begun, presentSince(evidence) ?? from]) ?? from;
}

function isStartFailure(fact: Fact): boolean {
  return fact.kind === 'event' && isAtLeast(fact, 'warning') && START_FAILURES.has(fact.reason);
}

function startOf({ containers }: PodNow): readonly Timestamp[] {
  return containers.flatMap(({ runsSince }) => runsSince ?? []);
}

/** Returns since when the present pods do what the workload wants; undefined if nothing tells that it wanted other ones. */
function presentSince(evidence: Evidence): Timestamp | undefined {
  const { kind = '' } = evidence.subject ?? {};
  if (RUN_TO_END.includes(kind)) return firstRunOf(evidence);
  const ready = readyPods(evidence)
    .map((pod) => readySinceOf(pod, evidence))
    .sort(compareTimestamps);
  if (ready.length === 0) return lastChangeOf(evidence);
  // Further ones are more than it needs.
  const wanted = Math.min(wantedPods(evidence) || ready.length, ready.length);
  const covered = ready[wanted - 1];
  const available = availableSince(evidence);
  return covered !== undefined && available !== undefined && compareTimestamps(available, covered) < 0
    ? available
    : covered;
}

/** Their pods end, and are ready only while they run. */
const RUN_TO_END: readonly string[] = ['Job', 'CronJob'];

/** Returns the earliest sign of the Jobs and pods that are known: before it, nothing shows that there were any. */
function firstRunOf({ facts, pods }: Evidence): Timestamp | undefined {
  const known = facts.flatMap(({ at, subject: { kind } }) => (kind === 'Job' || kind === 'Pod' ? at : []));
  const signs = [...known, ...pods.flatMap(({ createdAt }) => createdAt ?? [])];
  return signs.sort(compareTimestamps)[0];
}

/** A pod that is ready has a time for it; without one, the latest that is known of its start. */
function readySinceOf(pod: PodNow, { now }: Evidence): Timestamp {
  return pod.readySince ?? latestTime([...startOf(pod), pod.createdAt ?? []].flat()) ?? now;
}

/** Returns when the workload last got or lost a pod that it no longer has; undefined if no event tells. */
function lastChangeOf(evidence: Evidence): Timestamp | undefined {
  const events = eventsOf(evidence, 'ScalingReplicaSet', 'SuccessfulCreate', 'SuccessfulDelete');
  return latestTime([
    ...events.map((fact) => ({ seconds: lastSecond(fact), nanos: 0 })),
    ...evidence.pods.flatMap(({ createdAt }) => createdAt ?? []),
  ]);
}

/** Returns since when the Deployment has had all pods that it wants, whichever these were. */
function availableSince(evidence: Evidence): Timestamp | undefined {
  // Of more pods than now, some may have been missing.
  if (wantedMost(evidence) > (wantedPods(evidence) ?? 0)) return undefined;
  const { uid } = evidence.subject ?? {};
  return factsOf(evidence, 'workload-condition').findLast(
    ({ subject, data }) =>
      subject.kind === 'Deployment' &&
      subject.uid === uid &&
      data.type === 'Available' &&
      data.status === 'True' &&
      data.isOfAll === true,
  )?.at;
}

/** Returns how many pods one of its ReplicaSets had at most; clusters before 1.26 do not report what they reduce. */
function wantedMost(evidence: Evidence): number {
  const counts = eventsOf(evidence, 'ScalingReplicaSet').map(({ message }) => {
    const [, from, to] = /(?: from (\d+))? to (\d+)$/.exec(message) ?? [];
    const isDown = /^Scaled down /.test(message);
    return isDown && from === undefined
      ? Number.POSITIVE_INFINITY
      : Math.max(Number(from ?? 0), Number(to ?? 0));
  });
  return Math.max(0, ...counts);
}

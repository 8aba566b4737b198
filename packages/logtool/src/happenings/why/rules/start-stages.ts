import type { Fact, FactOf } from '../../../domain/facts/fact.ts';
import type { Doubt } from '../../../domain/verdicts/verdict.ts';
import { type Evidence, eventsOf, factsOf, lastSecond, podOf } from '../evidence.ts';
import { isOfFailedJob } from '../make-verdict.ts';

/**
 * The stages of a pod's start, in which each begins only after the one before succeeded (pkg/kubelet, syncPod;
 * pkg/kubelet/kuberuntime, SyncPod): it gets a node, volumes are attached and mounted, the sandbox is created, images are
 * pulled.
 */
const STAGES: readonly (readonly string[])[] = [
  ['FailedScheduling'],
  ['Scheduled', 'FailedAttachVolume'],
  ['FailedMount', 'FailedMapVolume', 'SuccessfulAttachVolume'],
  ['FailedCreatePodSandBox'],
  ['Pulling', 'Pulled', 'Created', 'Started'],
];

function stageOf({ reason }: Fact): number {
  return STAGES.findIndex((reasons) => reasons.includes(reason));
}

/** Whether a failure of a pod's start is over: a later stage began after it. */
export function hasPassed(evidence: Evidence, failure: FactOf<'event'>): boolean {
  return factsOf(evidence, 'event').some(
    (fact) =>
      fact.subject.uid === failure.subject.uid &&
      stageOf(fact) > stageOf(failure) &&
      lastSecond(fact) > lastSecond(failure) &&
      (fact.reason !== 'SuccessfulAttachVolume' || isSameVolume(fact, failure)),
  );
}

/** One volume can be attached while another still fails. */
function isSameVolume(a: Fact, b: Fact): boolean {
  return volumeOf(a.message) === volumeOf(b.message);
}

export function volumeOf(message: string): string {
  return /for volume "([^"]+)"/.exec(message)?.[1] ?? '';
}

/**
 * Returns the failures of pods that are gone, and whose Job has failed, unless a later stage of the start shows that they
 * are over: nobody starts these pods again, so what kept them from running holds.
 */
export function failuresOfGone(
  evidence: Evidence,
  ...reasons: readonly string[]
): readonly FactOf<'event'>[] {
  return eventsOf(evidence, ...reasons).filter(
    (fact) => isLost(evidence, fact) && !hasPassed(evidence, fact),
  );
}

/** Like `failuresOfGone`, of containers: `passes` are the reasons of events that show that a failure of one is over. */
export function containerFailuresOfGone(
  evidence: Evidence,
  reasons: readonly string[],
  passes: readonly string[],
): readonly FactOf<'event'>[] {
  const later = eventsOf(evidence, ...passes);
  return eventsOf(evidence, ...reasons).filter(
    (failure) =>
      failure.subject.container !== undefined &&
      isLost(evidence, failure) &&
      !later.some(
        ({ subject: { uid, container }, ...fact }) =>
          uid === failure.subject.uid &&
          container === failure.subject.container &&
          lastSecond(fact) > lastSecond(failure),
      ),
  );
}

/** Whether a pod is gone, and was one of a Job that has failed. */
function isLost(evidence: Evidence, { subject }: Fact): boolean {
  return subject.kind === 'Pod' && podOf(evidence, subject) === undefined && isOfFailedJob(evidence, subject);
}

/**
 * Returns the doubt that an old failure still holds: the kubelet tries again at least every few minutes. Of a pod that is
 * gone, the last failure is the last.
 */
export function ageOf(evidence: Evidence, failures: readonly Fact[]): readonly Doubt[] {
  const open = failures.filter(({ subject }) => podOf(evidence, subject) !== undefined);
  if (open.length === 0) return [];
  const seconds = evidence.now.seconds - Math.max(...open.map(lastSecond));
  return seconds <= OLD_SECONDS ? [] : [{ code: 'failure-old', data: { minutes: Math.floor(seconds / 60) } }];
}

const OLD_SECONDS = 600;

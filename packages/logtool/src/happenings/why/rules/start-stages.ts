import type { Fact, FactOf } from '../../../domain/facts/fact.ts';
import type { Doubt } from '../../../domain/verdicts/verdict.ts';
import { type Evidence, factsOf, lastSecond } from '../evidence.ts';

/**
 * The stages of a pod's start, in which each begins only after the one before succeeded (pkg/kubelet, syncPod;
 * pkg/kubelet/kuberuntime, SyncPod): volumes are attached and mounted, the sandbox is created, images are pulled.
 */
const STAGES: readonly (readonly string[])[] = [
  ['FailedAttachVolume'],
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

/** Returns the doubt that an old failure still holds: the kubelet tries again at least every few minutes. */
export function ageOf({ now }: Evidence, failures: readonly Fact[]): readonly Doubt[] {
  const seconds = now.seconds - Math.max(...failures.map(lastSecond));
  return seconds <= OLD_SECONDS ? [] : [{ code: 'failure-old', data: { minutes: Math.floor(seconds / 60) } }];
}

const OLD_SECONDS = 600;

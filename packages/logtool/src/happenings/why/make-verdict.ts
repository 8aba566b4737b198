import { earliestTime, latestTime, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { compareFacts, type Fact, type FactSubject } from '../../domain/facts/fact.ts';
import type { Doubt, Verdict, VerdictCode, VerdictKinds } from '../../domain/verdicts/verdict.ts';
import { isGeneratedFrom } from '../pod-names.ts';
import { arePodsUnread, type Evidence, eventsOf, factsOf, lastSecond, podOf } from './evidence.ts';
import { type ContainerNow, containerOf, type PodNow } from './pod-now.ts';

/** A rule: returns what its facts and lines prove, if anything. Pure. */
export type Rule = (evidence: Evidence) => readonly Verdict[];

interface Extra {
  readonly doubts?: readonly Doubt[];
  /** Pods other than the subjects of the facts. */
  readonly pods?: readonly FactSubject[];
  readonly isOver?: boolean;
  readonly container?: string | undefined;
  /** Its first sign, if some of the facts began earlier. */
  readonly since?: Timestamp | undefined;
  /** Restarts, if its pods' counts include those of another cause. */
  readonly restarts?: number;
}

/** Makes a verdict with what follows from its proof: which pods, since when, and whether it still holds. */
export function makeVerdict<C extends VerdictCode>(
  evidence: Evidence,
  code: C,
  data: VerdictKinds[C],
  facts: readonly [Fact, ...Fact[]],
  extra: Extra = {},
): Verdict {
  const proof = [...facts].sort(compareFacts);
  const pods = extra.pods ?? podsOf(proof);
  const existing = pods.flatMap((subject) => podOf(evidence, subject) ?? []);
  const restarts = existing
    .map((pod) => containerOf(pod, extra.container)?.restarts ?? 0)
    .reduce((sum, count) => sum + count, 0);
  const verdict = {
    code,
    data,
    pods,
    since: extra.since ?? earliestOf(proof),
    until: latestOf(proof),
    isOver:
      !arePodsUnread(evidence) &&
      (extra.isOver ??
        pods.every((subject) => {
          const pod = podOf(evidence, subject);
          return pod === undefined
            ? !isOfFailedJob(evidence, subject)
            : isBack(evidence, pod, extra.container, proof);
        })),
    restarts: extra.restarts ?? restarts,
    proof,
    doubts: extra.doubts ?? [],
    nextTry: nextTryOf(evidence, pods, extra.container),
  };
  // Code and data match: the parameters ensure this, but the compiler cannot infer it for the union.
  return verdict as unknown as Verdict;
}

/** Kinds of controllers that replace a failed pod with another. */
const REPLACING: readonly string[] = ['ReplicaSet', 'StatefulSet', 'DaemonSet', 'ReplicationController'];

/**
 * Whether a pod has recovered: it is ready, leaves in time, or is replaced. A Job that has completed needs none
 * of its failed pods.
 */
export function hasRecovered(evidence: Evidence, pod: PodNow): boolean {
  if (pod.isOverdue) return false;
  if (pod.isReady || pod.isDeleting || pod.phase === 'Succeeded') return true;
  if (pod.phase !== 'Failed') return false;
  return REPLACING.includes(pod.owner?.kind ?? '') || isOfCompletedJob(evidence, pod);
}

function isOfCompletedJob(evidence: Evidence, { owner, subject: { namespace } }: PodNow): boolean {
  return (
    owner?.kind === 'Job' &&
    factsOf(evidence, 'workload-condition').some(
      ({ subject, data }) =>
        subject.kind === 'Job' &&
        subject.namespace === namespace &&
        subject.name === owner.name &&
        data.type === 'Complete' &&
        data.status === 'True',
    )
  );
}

/**
 * Whether a pod was one of a Job that has failed: what was wrong with it is not over because it is gone. A CronJob
 * recovers with a later Job that completes.
 */
export function isOfFailedJob(evidence: Evidence, { namespace, name }: FactSubject): boolean {
  const ends = factsOf(evidence, 'workload-condition').filter(
    ({ subject, data }) =>
      subject.kind === 'Job' && subject.namespace === namespace && data.status === 'True',
  );
  // A CronJob removes all but its last failed Jobs.
  const events = eventsOf(evidence, 'DeadlineExceeded', 'BackoffLimitExceeded').filter(
    ({ subject }) => subject.kind === 'Job' && subject.namespace === namespace,
  );
  const failed = [...ends.filter(({ data }) => data.type === 'Failed'), ...events].find(({ subject }) =>
    isMadeBy(subject.name, name),
  );
  if (failed === undefined) return false;
  const hasLater = ends.some(({ at, data }) => data.type === 'Complete' && at.seconds >= failed.at.seconds);
  return !(evidence.subject?.kind === 'CronJob' && hasLater);
}

/** Whether a Job of this name gives its pods such names; those of an indexed Job have a number before the end. */
function isMadeBy(job: string, pod: string): boolean {
  return isGeneratedFrom(job, pod) || isGeneratedFrom(job, pod.replace(/-\d+(?=-[^-]+$)/, ''));
}

/**
 * Whether a pod has recovered from what these facts show, or a container of it: another cause keeps the rest from being
 * ready.
 */
export function isBack(
  evidence: Evidence,
  pod: PodNow,
  container: string | undefined,
  signs: readonly Fact[],
): boolean {
  if (hasRecovered(evidence, pod)) return true;
  const now = containerOf(pod, container);
  return !pod.isOverdue && (now?.isReady === true || wasReadySince(evidence, pod, now, signs));
}

/**
 * Whether the pod was ready after all of these signs, and became not ready for another cause: its condition changed long
 * after the container began to run again, so all its containers were ready before the change.
 */
function wasReadySince(
  evidence: Evidence,
  { subject: { uid } }: PodNow,
  container: ContainerNow | undefined,
  signs: readonly Fact[],
): boolean {
  const begun = container?.isRunning === true ? container.runsSince?.seconds : undefined;
  if (begun === undefined) return false;
  // Both times are of the same node, in whole seconds.
  const isEarlier = signs.every((fact) => fact.subject.uid !== uid || lastSecond(fact) <= begun + 1);
  const lost = factsOf(evidence, 'not-ready').findLast(({ subject }) => subject.uid === uid);
  return isEarlier && lost !== undefined && lost.at.seconds - begun > START_CHANGE_SECONDS;
}

/** The end of the run before may change the condition this long after a start at the latest. */
const START_CHANGE_SECONDS = 60;

/** Whether all wanted pods are ready: others have replaced those that left. */
export function areAllWell(evidence: Evidence): boolean {
  return evidence.pods.every((pod) => hasRecovered(evidence, pod));
}

/**
 * Whether others have replaced the pods that left: all pods are well, or for each of those that left another was created
 * since whose containers have started. What is wrong with that one is another trouble.
 */
export function isReplaced(evidence: Evidence, losses: readonly Fact[]): boolean {
  if (areAllWell(evidence)) return true;
  const lastSeconds = new Map<string, number>();
  for (const fact of losses)
    if (fact.subject.kind === 'Pod')
      lastSeconds.set(fact.subject.name, Math.max(lastSecond(fact), lastSeconds.get(fact.subject.name) ?? 0));
  const replacements = evidence.pods.filter((pod) => !lastSeconds.has(pod.subject.name) && hasStarted(pod));
  const times = [...lastSeconds.values()].sort((a, b) => b - a);
  return (
    times.length > 0 &&
    times.every((time, index) => {
      const later = replacements.filter(({ createdAt }) => (createdAt?.seconds ?? 0) >= time - BEFORE_LOSS);
      return later.length > index;
    })
  );
}

/** A controller may create the next pod this many seconds before the last sign of the loss. */
const BEFORE_LOSS = 60;

function hasStarted({ isOver, isDeleting, containers }: PodNow): boolean {
  const own = containers.filter(({ isInit }) => !isInit);
  return !isOver && !isDeleting && own.some(({ isRunning, restarts }) => isRunning || restarts > 0);
}

export function podsOf(facts: readonly Fact[]): readonly FactSubject[] {
  const byName = new Map<string, FactSubject>();
  for (const { subject } of facts) {
    const { kind, namespace, name, uid } = subject;
    if (kind === 'Pod') byName.set(`${namespace}/${name}`, { kind, namespace, name, uid });
  }
  return [...byName.values()];
}

/** Prefers facts with a known time, if there are any. */
export function earliestOf(facts: readonly Fact[]): Timestamp {
  const exact = facts.filter(({ bound }) => bound === undefined);
  return earliestTime((exact.length > 0 ? exact : facts).map(({ at }) => at)) ?? ZERO;
}

function latestOf(facts: readonly Fact[]): Timestamp {
  return latestTime([ZERO, ...facts.map(({ at, until = at }) => until)]);
}

const ZERO: Timestamp = { seconds: 0, nanos: 0 };

/**
 * Reads `back-off 2m40s restarting failed container=app` (pkg/kubelet/kuberuntime, doBackOff): the time
 * counts from the last end.
 */
function nextTryOf(
  evidence: Evidence,
  pods: readonly FactSubject[],
  container: string | undefined,
): Timestamp | undefined {
  const uids = new Set(pods.map(({ uid }) => uid));
  const tries = factsOf(evidence, 'waiting').flatMap((fact) => {
    if (fact.reason !== 'CrashLoopBackOff' || !uids.has(fact.subject.uid)) return [];
    if (container !== undefined && fact.subject.container !== container) return [];
    const ended = lastEndOf(evidence, fact.subject);
    const seconds = durationOf(/^back-off (\S+) restarting/.exec(fact.message)?.[1] ?? '');
    return ended === undefined || seconds === undefined ? [] : [lastSecond(ended) + seconds];
  });
  const next = tries.length === 0 ? undefined : Math.min(...tries);
  return next === undefined || next < evidence.now.seconds ? undefined : { seconds: next, nanos: 0 };
}

function lastEndOf(evidence: Evidence, { uid, container }: FactSubject): Fact | undefined {
  return factsOf(evidence, 'exited').findLast(
    ({ subject }) => subject.uid === uid && subject.container === container,
  );
}

/** Parses a duration in Go's format, in whole seconds: `1h2m3s`. */
function durationOf(text: string): number | undefined {
  const match = /^(?:(\d{1,3})h)?(?:(\d{1,3})m)?(?:(\d{1,3})s)?$/.exec(text);
  if (match === null || text === '') return undefined;
  const [hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((digits) => Number(digits ?? 0));
  return hours * 3_600 + minutes * 60 + seconds;
}

import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { Fact, FactOf, FactSubject } from '../../domain/facts/fact.ts';
import type { Explanation } from '../../domain/verdicts/explanation.ts';
import type { Doubt, Verdict, VerdictCode, VerdictOf } from '../../domain/verdicts/verdict.ts';
import { type Evidence, eventsOf, factsOf, lastSecond } from './evidence.ts';
import { secondOf } from './logs/log-gaps.ts';
import { containerOf } from './pod-now.ts';
import { answerOf, isRestartDelay } from './rules/exit-rules.ts';
import { START_SECONDS } from './rules/probe-rules.ts';

type Rollout = NonNullable<Explanation['rollout']>;

interface RolloutBefore {
  /** Undefined: none was shortly before, or the trouble, or one like it, was there before it. */
  readonly rollout: Rollout | undefined;
  /** The doubt of a verdict that the rollout, which is then not named beside it, has led to it. */
  readonly doubts: ReadonlyMap<Verdict, Doubt>;
}

/** A rollout longer before a trouble does not count. */
const ROLLOUT_SECONDS = 1_800;

/**
 * Returns the rollout shortly before the first sign of a trouble. One that came after the same container already had
 * such a trouble is none: a reader would take it for the cause. `leading`: the verdicts with that trouble; `all`: also
 * those that the time range leaves out.
 */
export function rolloutBefore(
  evidence: Evidence,
  verdicts: { readonly leading: readonly Verdict[]; readonly all: readonly Verdict[] },
  first: Timestamp | undefined,
): RolloutBefore {
  if (first === undefined) return NONE;
  const fact = lastRollout(evidence, first.seconds);
  const secondsBefore = fact === undefined ? 0 : first.seconds - fact.at.seconds;
  if (fact === undefined || secondsBefore > ROLLOUT_SECONDS) return NONE;
  const leading = verdicts.leading.filter(({ since }) => since.seconds === first.seconds);
  const ofNodes = leading.filter(({ code }) => OF_NODES.has(code));
  // What takes the place of pods that had to leave may find no room.
  const isByNodes = ({ code }: Verdict) => OF_NODES.has(code) || code === 'unschedulable';
  if (ofNodes.length > 0 && leading.every(isByNodes)) return NONE;
  const doubts = new Map(
    leading.flatMap((verdict) => {
      const sign = signBefore(evidence, verdict, fact);
      return sign === undefined ? [] : [[verdict, doubtOf(sign, fact)] as const];
    }),
  );
  const wasBefore = leading.some((verdict) =>
    verdicts.all.some((other) => isSameBefore(other, verdict, fact)),
  );
  return { rollout: wasBefore || doubts.size > 0 ? undefined : { fact, secondsBefore }, doubts };
}

/**
 * Returns the last rollout up to a second, of workloads that `isOf` accepts; undefined if there is none, or another one
 * whose time is not known may have come after it.
 */
export function lastRollout(
  evidence: Evidence,
  seconds: number,
  isOf: (subject: FactSubject) => boolean = () => true,
): FactOf<'rollout'> | undefined {
  const all = factsOf(evidence, 'rollout').filter(
    ({ at, subject }) => at.seconds <= seconds && isOf(subject),
  );
  // The first revision changes nothing.
  const last = all.findLast(({ bound, data }) => bound === undefined && data.revision > 1);
  const mayBeLater = ({ subject, bound, data }: FactOf<'rollout'>) =>
    last !== undefined &&
    bound !== undefined &&
    subject.uid === last.subject.uid &&
    data.revision > last.data.revision;
  return all.some(mayBeLater) ? undefined : last;
}

/** What befalls a node or its pods without them: no rollout of a workload leads to it. */
const OF_NODES: ReadonlySet<VerdictCode> = new Set([
  'evicted-by-request',
  'node-lost',
  'node-rebooted',
  'pods-deleted',
  'preempted',
]);

const NONE: RolloutBefore = { rollout: undefined, doubts: new Map() };

/** Whether another verdict is the same cause of the same container, and began before the rollout. */
function isSameBefore(other: Verdict, verdict: Verdict, rollout: Fact): boolean {
  return (
    other !== verdict &&
    other.code === verdict.code &&
    nameIn(other) === nameIn(verdict) &&
    other.since.seconds < rollout.at.seconds
  );
}

function nameIn({ data }: Verdict): string | undefined {
  return 'container' in data ? data.container : undefined;
}

interface Sign {
  readonly what: 'restarted' | 'probe-failed';
  readonly container: string;
  /** When it was last seen before the rollout, in seconds. */
  readonly seconds: number;
}

/** Returns what shows that such a trouble was there before the rollout, of whichever cause. */
function signBefore(evidence: Evidence, verdict: Verdict, rollout: Fact): Sign | undefined {
  const container = nameIn(verdict);
  if (container === undefined) return undefined;
  if (verdict.code === 'probe-failing') return failureBefore(evidence, verdict, rollout);
  if (!verdict.proof.some(({ kind }) => kind === 'exited')) return undefined;
  const times = eventsOf(evidence, 'BackOff', 'Started').flatMap((fact) =>
    fact.subject.container === container && !isKnown(evidence, fact) ? secondsBefore(fact, rollout) : [],
  );
  return times.length === 0 ? undefined : { what: 'restarted', container, seconds: Math.max(...times) };
}

/** Whether the status tells how the container's last run ended: as another cause, it is no such trouble. */
function isKnown(evidence: Evidence, { subject: { uid, container } }: Fact): boolean {
  return factsOf(evidence, 'exited').some(
    ({ subject }) => subject.uid === uid && subject.container === container,
  );
}

/**
 * Returns when the kubelet last reported, before the rollout, that it restarted a container. Of a series, only the first
 * and the last time are known, and the first start is no restart.
 */
function secondsBefore(fact: FactOf<'event'>, rollout: Fact): readonly number[] {
  const isBackOff = fact.reason === 'BackOff';
  if (isBackOff && !isRestartDelay(fact)) return [];
  const isAgain = isBackOff || fact.count > 1;
  const times = [lastSecond(fact), ...(isBackOff ? [fact.at.seconds] : [])];
  return isAgain ? times.filter((seconds) => seconds < rollout.at.seconds).slice(0, 1) : [];
}

/**
 * Returns when a probe last failed with the same answer before the rollout, in a pod that had long started: as often as
 * makes a pod not ready.
 */
function failureBefore(
  evidence: Evidence,
  { data: { container, probe, answer } }: VerdictOf<'probe-failing'>,
  rollout: Fact,
): Sign | undefined {
  const [threshold] = evidence.pods.flatMap(
    (pod) => containerOf(pod, container)?.probeThresholds[probe] ?? [],
  );
  const times = eventsOf(evidence, 'Unhealthy').filter(
    (fact) =>
      fact.subject.container === container &&
      fact.message.toLowerCase().startsWith(probe) &&
      answerOf(fact) === answer &&
      fact.count >= (threshold ?? 1) &&
      lastSecond(fact) < rollout.at.seconds &&
      lastSecond(fact) > startOf(evidence, fact) + START_SECONDS,
  );
  const last = times.map(lastSecond);
  return last.length === 0 ? undefined : { what: 'probe-failed', container, seconds: Math.max(...last) };
}

/** Returns when the container of an event last started, in seconds; if that is unknown, after everything. */
function startOf(evidence: Evidence, { subject: { uid, container } }: Fact): number {
  const starts = eventsOf(evidence, 'Started').filter(
    ({ subject }) => subject.uid === uid && subject.container === container,
  );
  return starts.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...starts.map(lastSecond));
}

function doubtOf({ what, container, seconds }: Sign, rollout: FactOf<'rollout'>): Doubt {
  const { images, revision } = rollout.data;
  const at = secondOf({ seconds, nanos: 0 });
  return { code: 'before-rollout', data: { what, container, at, images, revision } };
}

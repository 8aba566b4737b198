import { earliestTime, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { type Fact, isAtLeast } from '../../domain/facts/fact.ts';
import { foldEvents } from '../../domain/facts/fold-events.ts';
import type { Explanation, OtherFacts } from '../../domain/verdicts/explanation.ts';
import type { Doubt, Verdict } from '../../domain/verdicts/verdict.ts';
import { withoutCombined } from '../facts-of-event.ts';
import { scaledAway } from '../scaled-away.ts';
import {
  arePodsUnread,
  type Evidence,
  eventsOf,
  factsOf,
  isByName,
  lastSecond,
  readyPods,
  wantedPods,
} from './evidence.ts';
import { groupsOf } from './groups-of.ts';
import { healthySince } from './healthy-since.ts';
import { hasRecovered } from './make-verdict.ts';
import { eventDoubts, knownFrom, withMissingEvents } from './missing-events.ts';
import { firstOfNames } from './names-of.ts';
import { rolloutBefore } from './rollout-before.ts';
import { stopsByOthers } from './rules/deletion-rules.ts';
import { RULES } from './rules.ts';

/** Maximum facts beside the verdicts. */
const MAX_OTHERS = 6;
/** Judges what facts and lines prove. `since`: omits what ended earlier. Pure. */
export function judge(evidence: Evidence, since: Timestamp): Explanation {
  const all = verdictsOf(evidence);
  const found = all.filter(({ isOver, until }) => !isOver || until.seconds >= since.seconds);
  const open = found.filter(({ isOver }) => !isOver);
  const leading = open.length > 0 ? open : found;
  const first = firstOf(leading);
  const { rollout, doubts } = rolloutBefore(evidence, { leading, all }, first);
  const verdicts = found.map((verdict) => withDoubts(verdict, doubts.get(verdict)));
  const unexplained = unexplainedIn(evidence, open, verdicts.length > 0);
  const outcome = outcomeOf(evidence, verdicts, unexplained.length > 0);
  const known = knownFrom(evidence, since);
  return {
    outcome,
    from: since,
    knownFrom: outcome === 'healthy' ? healthySince(evidence, known) : known,
    subject: evidence.subject,
    pods: countsOf(evidence),
    since: first,
    rollout,
    verdicts,
    unexplained,
    also: othersOf(evidence, verdicts, since, rollout?.fact),
    hasReadLines: evidence.lines.size > 0,
    logs: undefined,
    doubts: doubtsOf(evidence, verdicts, since),
    workloads: [],
    healthy: { count: 0, names: [] },
  };
}

function countsOf(evidence: Evidence): Explanation['pods'] {
  const { pods } = evidence;
  const ended = pods.filter(({ isOver, isDeleting }) => isOver && !isDeleting).length;
  const deleting = pods.filter(({ isDeleting }) => isDeleting).length;
  return {
    ...(arePodsUnread(evidence) ? { isUnread: true } : {}),
    total: pods.length - ended - deleting,
    ready: readyPods(evidence).length,
    wanted: wantedPods(evidence),
    ended,
    deleting,
  };
}

function verdictsOf(evidence: Evidence): readonly Verdict[] {
  const { plain, original } = withoutPrefixes(evidence);
  const all = RULES.flatMap(({ rule }) => rule(plain)).map((verdict) => {
    const reported = { ...verdict, proof: verdict.proof.map(original) };
    return withGonePods(evidence, withLines(evidence, withMissingEvents(evidence, reported)));
  });
  return [...all.filter(({ isOver }) => !isOver), ...all.filter(({ isOver }) => isOver)];
}

/**
 * Returns the evidence with the messages that rules compare: those of combined events without their prefix. `original`:
 * what the cluster reported, which is the proof.
 */
function withoutPrefixes(evidence: Evidence): { plain: Evidence; original(fact: Fact): Fact } {
  const originals = new Map<Fact, Fact>();
  const facts = evidence.facts.map((fact) => {
    const message = fact.kind === 'event' ? withoutCombined(fact.message) : fact.message;
    if (message === fact.message) return fact;
    const plain = { ...fact, message };
    originals.set(plain, fact);
    return plain;
  });
  return { plain: { ...evidence, facts }, original: (fact) => originals.get(fact) ?? fact };
}

/** Adds the lines read for one of the verdict's facts, or the doubt that they were unreadable. */
function withLines(evidence: Evidence, verdict: Verdict): Verdict {
  const read = verdict.proof.flatMap((fact) => {
    const lines = evidence.lines.get(fact.id);
    return lines === undefined ? [] : [{ fact, lines }];
  });
  const found = read.at(-1);
  if (found === undefined) return verdict;
  const { fact, lines } = found;
  const container = fact.subject.container ?? '';
  if ('failed' in lines) {
    const { failed, answer } = lines;
    const data = { container, why: failed, ...(answer === undefined ? {} : { answer }) };
    return withDoubt(verdict, { code: 'lines-unreadable', data });
  }
  if (lines.records.length === 0) return withDoubt(verdict, { code: 'no-lines', data: { container } });
  return { ...verdict, lines };
}

/** Adds that only the names of pods tell that they were the workload's. */
function withGonePods(evidence: Evidence, verdict: Verdict): Verdict {
  const names = verdict.pods.flatMap((pod) => (isByName(evidence, pod) ? pod.name : []));
  if (names.length === 0) return verdict;
  return withDoubt(verdict, { code: 'pods-by-name', data: firstOfNames(names) });
}

function withDoubts(verdict: Verdict, doubt: Doubt | undefined): Verdict {
  return doubt === undefined ? verdict : withDoubt(verdict, doubt);
}

function withDoubt(verdict: Verdict, doubt: Doubt): Verdict {
  return { ...verdict, doubts: [...verdict.doubts, doubt] };
}

function firstOf(verdicts: readonly Verdict[]): Timestamp | undefined {
  return earliestTime(verdicts.map(({ since }) => since));
}

/** Neither a paused or stuck rollout nor an error in a log explains why pods are not ready. */
function unexplainedIn(
  evidence: Evidence,
  open: readonly Verdict[],
  hasVerdict: boolean,
): Explanation['unexplained'] {
  const reported = new Set(
    open.flatMap(({ code, pods }) => (NO_REASONS.includes(code) ? [] : pods.map(({ uid }) => uid))),
  );
  return evidence.pods
    .filter((pod) => !hasRecovered(evidence, pod) && !reported.has(pod.subject.uid))
    .filter(({ createdAt }) => !hasVerdict || !isNew(evidence, createdAt))
    .map(({ subject, phase, containers, createdAt }) => ({
      pod: subject,
      phase,
      ageSeconds: createdAt && Math.max(0, evidence.now.seconds - createdAt.seconds),
      waiting: containers.find(({ waiting }) => waiting !== undefined)?.waiting,
    }));
}

/** Beside a trouble, a pod that was just created is none of its own. */
function isNew({ now }: Evidence, createdAt: Timestamp | undefined): boolean {
  return createdAt !== undefined && now.seconds - createdAt.seconds < NEW_SECONDS;
}

/** An image that the node has starts within this time. */
const NEW_SECONDS = 10;

const NO_REASONS: readonly Verdict['code'][] = [
  'rollout-paused',
  'rollout-stuck',
  'rollout-waits',
  'log-errors',
];

function outcomeOf(
  evidence: Evidence,
  verdicts: readonly Verdict[],
  isUnexplained: boolean,
): Explanation['outcome'] {
  if (isUnexplained) return 'unexplained';
  if (verdicts.length > 0) return 'explained';
  if (arePodsUnread(evidence) && !wantsNoPods(evidence)) return 'unread';
  const hasAll = readyPods(evidence).length >= (wantedPods(evidence) ?? 0);
  if (hasAll && (evidence.pods.length > 0 || wantsNoPods(evidence))) return 'healthy';
  return evidence.facts.length + evidence.pods.length > 0 ? 'unexplained' : 'unread';
}

/** Whether the workload is scaled to zero, or has completed. */
function wantsNoPods(evidence: Evidence): boolean {
  return (
    wantedPods(evidence) === 0 ||
    factsOf(evidence, 'workload-condition').some(
      ({ data }) => data.type === 'Complete' && data.status === 'True',
    )
  );
}

/** Kinds of facts that repeat a verdict: a pod is not ready, a container waits. */
const SYMPTOMS: readonly string[] = ['not-ready', 'waiting', 'workload-condition', 'exited', 'node-taint'];
/** The kubelet repeats an event that contains more. */
const ECHO = /^Error: (?:ErrImagePull|ImagePullBackOff)$/;
/** Failures of a start; for a pod with a verdict they repeat it. */
const ECHOED_FAILURES: readonly string[] = ['Failed', 'FailedMount', 'NodeNotReady', 'FailedScheduling'];

function othersOf(
  evidence: Evidence,
  verdicts: readonly Verdict[],
  since: Timestamp,
  reported: Fact | undefined,
): readonly OtherFacts[] {
  const used = new Set(verdicts.flatMap(({ proof }) => proof.map(({ id }) => id)));
  const judged = new Set(verdicts.flatMap(({ pods }) => pods.map(({ uid }) => uid)));
  const isEcho = ({ reason, message, subject }: Fact) =>
    (reason === 'BackOff' && judged.has(subject.uid)) ||
    ECHO.test(message) ||
    (ECHOED_FAILURES.includes(reason) && judged.has(subject.uid));
  const stops = new Set(
    stopsByOthers(evidence).flatMap(({ id, subject }) => (judged.has(subject.uid) ? [] : id)),
  );
  const toZero = scalesToZero(evidence);
  const others = foldEvents(evidence.facts).filter(
    (fact) =>
      !used.has(fact.id) &&
      fact.id !== reported?.id &&
      lastSecond(fact) >= since.seconds &&
      (isAtLeast(fact, 'warning') ||
        isLaterRollout(fact) ||
        isOfPressure(fact, evidence) ||
        stops.has(fact.id) ||
        toZero.has(fact.id) ||
        isRestart(fact, judged)) &&
      !SYMPTOMS.includes(fact.kind) &&
      !isEcho(fact),
  );
  return groupsOf(others, ({ id, kind, subject, reason, message }) =>
    // Each rollout is one of its own, and has no message.
    kind === 'rollout' ? id : [kind, subject.kind, reason, shapeOf(message)].join(' '),
  )
    .map((group) => ({
      fact: group.at(-1) ?? group[0],
      count: group.reduce((sum, { count }) => sum + count, 0),
      since: group[0].at,
      until: group.reduce((a, { at, until = at }) => (until.seconds > a.seconds ? until : a), group[0].at),
    }))
    .sort((a, b) => b.until.seconds - a.until.seconds)
    .slice(0, MAX_OTHERS);
}

/**
 * Returns the IDs of events that scaled Deployments or StatefulSets without pods to 0: the one in question, which wants none
 * now, and those beside it, on which it may depend.
 */
function scalesToZero(evidence: Evidence): ReadonlySet<string> {
  const { subject, pods } = evidence;
  const away = [...scaledAway(evidence.facts), ...lastDeletions(evidence)].filter(
    ({ subject: { namespace, name, uid } }) =>
      uid === subject?.uid
        ? wantedPods(evidence) === 0
        : !pods.some((pod) => pod.subject.namespace === namespace && pod.workload?.name === name),
  );
  return new Set(away.map(({ id }) => id));
}

/** Returns the last deletion of a pod of each StatefulSet that wants none. */
function lastDeletions(evidence: Evidence): readonly Fact[] {
  const rollouts = new Map(factsOf(evidence, 'rollout').map((fact) => [fact.subject.uid, fact]));
  const sets = [...rollouts.values()].filter(
    ({ subject, data }) => subject.kind === 'StatefulSet' && data.replicas === 0,
  );
  return sets.flatMap(
    ({ subject }) =>
      eventsOf(evidence, 'SuccessfulDelete').findLast((fact) => fact.subject.uid === subject.uid) ?? [],
  );
}

const isLaterRollout = (fact: Fact) => fact.kind === 'rollout' && fact.data.revision > 1;

/** A restart without a verdict is no trouble by itself, but also no quiet time. */
const isRestart = ({ kind, subject }: Fact, judged: ReadonlySet<string>) =>
  kind === 'restarted' && !judged.has(subject.uid);

/** Whether a node is short of something, or has enough of it again. */
function isOfPressure(fact: Fact, { facts }: Evidence): boolean {
  const begin = fact.kind === 'event' ? PRESSURE_OF_END.get(fact.reason) : undefined;
  const isBegin = ({ reason, subject, at }: Fact) =>
    reason === begin && subject.name === fact.subject.name && at.seconds <= lastSecond(fact);
  return isPressure(fact) || facts.some(isBegin);
}

/** The kubelet reports pressure with events of type Normal. */
const isPressure = ({ kind, reason }: Fact) =>
  kind === 'event' && /^NodeHas(?:Insufficient|DiskPressure)/.test(reason);

/** pkg/kubelet/nodestatus, MemoryPressureCondition and its neighbors. */
const PRESSURE_OF_END: ReadonlyMap<string, string> = new Map([
  ['NodeHasSufficientMemory', 'NodeHasInsufficientMemory'],
  ['NodeHasNoDiskPressure', 'NodeHasDiskPressure'],
  ['NodeHasSufficientPID', 'NodeHasInsufficientPID'],
]);

/** Removes the numbers and addresses from a message, in which events of one kind differ. */
function shapeOf(message: string): string {
  return message.replaceAll(/\d+/g, '0').slice(0, 80);
}

/** Returns doubts about what was not found, because something was unreadable. */
function doubtsOf(evidence: Evidence, verdicts: readonly Verdict[], since: Timestamp): readonly Doubt[] {
  const { unread } = evidence;
  const doubts: Doubt[] = [...eventDoubts(evidence, verdicts, since)];
  if (arePodsUnread(evidence)) doubts.push({ code: 'pods-unreadable', data: {} });
  if (unread.has('nodes')) doubts.push({ code: 'nodes-unreadable', data: {} });
  if (unread.has('workloads')) doubts.push({ code: 'workloads-unreadable', data: {} });
  return doubts;
}

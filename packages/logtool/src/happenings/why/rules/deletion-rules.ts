import type { Fact, FactOf, FactSubject } from '../../../domain/facts/fact.ts';
import { isGeneratedFrom } from '../../pod-names.ts';
import {
  type Evidence,
  eventsOf,
  factsOf,
  lastSecond,
  nodeOf,
  podOf,
  readyPods,
  wantedPods,
} from '../evidence.ts';
import { groupsOf, mapGroup } from '../groups-of.ts';
import { isReplaced, makeVerdict, type Rule } from '../make-verdict.ts';

type Event = FactOf<'event'>;

/**
 * Controllers that delete a pod only if they have more than they want, and then create none. A DaemonSet or a
 * StatefulSet deletes pods to create them again from another template.
 */
const KEEPERS: readonly string[] = ['ReplicaSet', 'ReplicationController'];

/** Maximum time between a deletion and what the controller and the kubelet do about it, in seconds. */
const BEFORE = 5;
const AFTER = 10;

/**
 * Proof: a pod was stopped and no longer exists, and its controller created another at that time: a controller
 * that has too many pods does not. A missing event about a deletion proves nothing, because a controller's events
 * about one object are limited (client-go/tools/record, EventSourceObjectSpamFilter). The cluster does not
 * record who deleted the pod: a drain, an eviction or a person.
 */
export const podsDeleted: Rule = (evidence) => {
  const explained = new Set(
    eventsOf(evidence, 'Preempted', 'Evicted', 'TaintManagerEviction').map(({ subject }) => subject.uid),
  );
  const gone = stopsOfGonePods(evidence).filter(({ subject }) => !explained.has(subject.uid));
  const replaced = replacedPods(evidence, gone);
  const [first, ...rest] = gone.filter(({ subject }) => replaced.has(subject.uid));
  if (first === undefined) return [];
  const nodes = new Set([first, ...rest].map(({ subject }) => nodeOf(evidence, subject)));
  const node = nodes.size === 1 ? [...nodes][0] : undefined;
  return [
    makeVerdict(evidence, 'pods-deleted', { node }, [first, ...rest], {
      doubts: [{ code: 'deleter-unknown', data: {} }],
      isOver: isReplaced(evidence, [first, ...rest]),
    }),
  ];
};

/** Returns the kubelet's reports that it stopped a container of a pod that no longer exists. */
export function stopsOfGonePods(evidence: Evidence): readonly Event[] {
  return eventsOf(evidence, 'Killing').filter(
    ({ subject, message }) =>
      message.startsWith('Stopping container') &&
      !evidence.pods.some((pod) => pod.subject.uid === subject.uid),
  );
}

/** Returns the stops of pods that are gone, without those that a controller reports at that time. */
export function stopsByOthers(evidence: Evidence): readonly Event[] {
  const reports = eventsOf(evidence, 'SuccessfulDelete', 'ScalingReplicaSet').filter(
    ({ message }) => !message.startsWith('Scaled up'),
  );
  return stopsOfGonePods(evidence).filter(
    (stop) => !reports.some((report) => namesMaker(report, stop) && isAbout(report, stop)),
  );
}

/** Whether a controller's report of a deletion or of fewer pods is about this pod. */
function namesMaker({ reason, message }: Fact, { subject: { name } }: Fact): boolean {
  const names = message.split(' ');
  return reason === 'SuccessfulDelete'
    ? names.includes(name)
    : names.some((owner) => isGeneratedFrom(owner, name));
}

function isAbout(report: Fact, stop: Fact): boolean {
  return stop.at.seconds >= report.at.seconds - BEFORE && stop.at.seconds <= lastSecond(report) + AFTER;
}

/** Returns the UIDs of stopped pods for each of which its controller created another pod. */
function replacedPods(evidence: Evidence, stops: readonly Event[]): ReadonlySet<string> {
  const created = eventsOf(evidence, 'SuccessfulCreate').filter(({ subject }) =>
    KEEPERS.includes(subject.kind),
  );
  const makers = new Map(created.map((fact) => [podIn(fact), fact.subject]));
  const free = new Set(created);
  const replaced = new Set<string>();
  for (const stop of stops) {
    const { uid, name } = stop.subject;
    // The cluster keeps the event about a creation for a limited time; the name of the pod begins with its maker's.
    const maker =
      makers.get(name) ?? created.find((fact) => isGeneratedFrom(fact.subject.name, name))?.subject;
    if (maker === undefined || replaced.has(uid) || isByController(evidence, maker, stop)) continue;
    const next = [...free].find(
      (fact) => fact.subject.uid === maker.uid && podIn(fact) !== name && isNear(fact, stop),
    );
    if (next === undefined) continue;
    free.delete(next);
    replaced.add(uid);
  }
  return replaced;
}

function podIn({ message }: Fact): string | undefined {
  return /^Created pod: (\S+)$/.exec(message)?.[1];
}

function isNear({ at }: Fact, stop: Fact): boolean {
  return at.seconds >= stop.at.seconds - BEFORE && at.seconds <= stop.at.seconds + AFTER;
}

/** Whether the controller deleted pods at that time, or its Deployment scaled it down. */
function isByController(evidence: Evidence, maker: FactSubject, stop: Fact): boolean {
  const own = eventsOf(evidence, 'SuccessfulDelete').filter(({ subject }) => subject.uid === maker.uid);
  const scaled = eventsOf(evidence, 'ScalingReplicaSet').filter(
    ({ message }) => /Scaled down replica set (\S+)/.exec(message)?.[1] === maker.name,
  );
  return [...own, ...scaled].some((fact) => isAbout(fact, stop));
}

/**
 * Proof: the pod's deletion timestamp. Within the grace period it is a trouble only if another pod must wait for it:
 * a StatefulSet creates none of the same name before, and the pod in question has no replacement of its own.
 */
export const podsTerminating: Rule = (evidence) => {
  const isShort = readyPods(evidence).length < (wantedPods(evidence) ?? 0);
  const leaving = factsOf(evidence, 'deleted').flatMap((fact) => {
    const pod = podOf(evidence, fact.subject);
    if (pod?.isDeleting !== true) return [];
    const waits = isShort && pod.owner?.kind === 'StatefulSet' ? pod.owner.kind : undefined;
    const isAsked = evidence.subject?.uid === pod.subject.uid;
    return pod.isOverdue || waits !== undefined || isAsked ? [{ fact, pod, waits }] : [];
  });
  return groupsOf(leaving, ({ fact, pod, waits }) =>
    JSON.stringify([pod.isOverdue, pod.finalizers, fact.data.graceSeconds, waits]),
  ).map((group) => {
    const [{ fact, pod, waits }] = group;
    const proof = mapGroup(group, (each) => each.fact);
    const { isOverdue, finalizers } = pod;
    const { graceSeconds } = fact.data;
    return makeVerdict(evidence, 'pods-terminating', { isOverdue, graceSeconds, finalizers, waits }, proof, {
      isOver: false,
    });
  });
};

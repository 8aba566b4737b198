import type { Why } from '@logtool/kube/src/values/problems.ts';
import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { Fact, FactKind, FactOf, FactSubject } from '../../domain/facts/fact.ts';
import type { LogLack } from '../../domain/verdicts/log-lack.ts';
import type { ProofLines } from '../../domain/verdicts/verdict.ts';
import type { LogErrors } from './logs/find-errors.ts';
import type { PodNow } from './pod-now.ts';

/** Events that exist, or did, and that logtool has not: of one namespace, or of all if it is undefined. */
export type MissingEvents =
  | { readonly why: 'unread'; readonly namespace: string | undefined }
  /** There were too many. `from`: all later ones are there. */
  | { readonly why: 'cut'; readonly namespace: string; readonly from: Timestamp };

/** The evidence that the rules judge. */
export interface Evidence {
  /** In order. */
  readonly facts: readonly Fact[];
  /** The pods that exist now. */
  readonly pods: readonly PodNow[];
  /** The workload or pod that the user asks about; undefined if there are several. */
  readonly subject: FactSubject | undefined;
  /** Lines, by the ID of the fact that required reading them. */
  readonly lines: ReadonlyMap<string, ReadLines>;
  /**
   * Errors that begin in the logs of its containers; logtool reads them only if the facts do not
   * explain a current trouble.
   */
  readonly errors: readonly LogErrors[];
  /** Unreadable sources of facts, except events. */
  readonly unread: ReadonlySet<'workloads' | 'nodes' | 'autoscalers' | 'pods'>;
  /** Events that were not read, or not kept: that there is none among the facts proves nothing. */
  readonly missingEvents: readonly MissingEvents[];
  /** The time from which the cluster has events, about whatever; undefined if it has none. */
  readonly eventsSince: Timestamp | undefined;
  /** How many pods each workload wants that the source names, by its UID. */
  readonly wanted: ReadonlyMap<string, number>;
  readonly now: Timestamp;
}

/** `answer`: what the server answered instead of lines. */
export type ReadLines = ProofLines | { readonly failed: LogLack; readonly answer?: Why | undefined };

export function factsOf<K extends FactKind>(
  { facts }: Pick<Evidence, 'facts'>,
  kind: K,
): readonly FactOf<K>[] {
  return facts.filter((fact): fact is FactOf<K> & Fact => fact.kind === kind);
}

/** Returns the events with one of these reasons. */
export function eventsOf(evidence: Evidence, ...reasons: readonly string[]): readonly FactOf<'event'>[] {
  return factsOf(evidence, 'event').filter(({ reason }) => reasons.includes(reason));
}

/** Returns when a fact last happened, in seconds. */
export function lastSecond({ at, until }: Pick<Fact, 'at' | 'until'>): number {
  return (until ?? at).seconds;
}

/** Whether the pods could not be read: that there is none proves nothing. */
export function arePodsUnread({ unread, pods }: Pick<Evidence, 'unread' | 'pods'>): boolean {
  return unread.has('pods') && pods.length === 0;
}

export function podOf({ pods }: Pick<Evidence, 'pods'>, { uid, name }: FactSubject): PodNow | undefined {
  return pods.find(({ subject }) => (uid === '' ? subject.name === name : subject.uid === uid));
}

/** Returns how many pods the workload in question wants, if its object or its rollout defines it. */
export function wantedPods(evidence: Evidence): number | undefined {
  const uid = evidence.subject?.uid ?? '';
  const rollout = factsOf(evidence, 'rollout').findLast(({ subject }) => subject.uid === uid);
  return evidence.wanted.get(uid) ?? rollout?.data.replicas;
}

/** Returns the pods that are ready and stay. */
export function readyPods({ pods }: Pick<Evidence, 'pods'>): readonly PodNow[] {
  return pods.filter(({ isReady, isOver, isDeleting }) => isReady && !isOver && !isDeleting);
}

/** Returns the node of an existing pod, or of a deleted one if an event tells it. */
export function nodeOf(evidence: Evidence, subject: FactSubject): string | undefined {
  const known = podOf(evidence, subject)?.node;
  if (known !== undefined) return known;
  const own = factsOf(evidence, 'event').filter((fact) => fact.subject.uid === subject.uid);
  const scheduled = own.find(({ reason }) => reason === 'Scheduled')?.message ?? '';
  const node = /^Successfully assigned \S+ to (\S+)$/.exec(scheduled)?.[1];
  return node ?? own.find(({ data }) => data.node !== undefined)?.data.node;
}

/**
 * Whether only the name of a pod tells that it was one of the workload's: it is gone, and no event of a controller
 * names it.
 */
export function isByName(evidence: Evidence, { kind, uid, name }: FactSubject): boolean {
  if (kind !== 'Pod' || evidence.pods.some(({ subject }) => subject.uid === uid)) return false;
  return !eventsOf(evidence, 'SuccessfulCreate', 'SuccessfulDelete').some(({ message }) =>
    message.split(' ').includes(name),
  );
}

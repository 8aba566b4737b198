import {
  compareTimestamps,
  earliestTime,
  latestTime,
  type Timestamp,
} from '@logtool/kube/src/values/timestamp.ts';
import type { Doubt, Verdict } from '../../domain/verdicts/verdict.ts';
import { NODE_NAMESPACE } from '../event-reader.ts';
import { type Evidence, lastSecond } from './evidence.ts';
import { secondOf } from './logs/log-gaps.ts';
import { graceOf } from './rules/kubelet-kills.ts';

/** Returns doubts about what no event reports, because not all events were read. */
export function eventDoubts(
  evidence: Evidence,
  verdicts: readonly Verdict[],
  since: Timestamp,
): readonly Doubt[] {
  const own = namespacesOf(evidence);
  const doubts: Doubt[] = [];
  if (missingIn(evidence, own).some(({ why }) => why === 'unread'))
    doubts.push({ code: 'events-unreadable', data: {} });
  else if (isUnread(evidence, NODE_NAMESPACE)) doubts.push({ code: 'node-events-unreadable', data: {} });
  const from = cutFrom(evidence, [...own, NODE_NAMESPACE]);
  const earliest = earliestTime([since, ...verdicts.map((verdict) => verdict.since)]);
  if (from !== undefined && compareTimestamps(from, earliest) > 0)
    doubts.push({ code: 'events-cut', data: { from: secondOf(from) } });
  if (doubts.length > 0) return doubts;
  const hasNone = !evidence.facts.some(({ kind }) => kind === 'event');
  const isExpired = hasNone && verdicts.some(({ proof }) => proof.length > 0);
  const known = knownFrom(evidence, since);
  const isLater = compareTimestamps(known, since) > 0;
  if (isExpired || (isLater && evidence.eventsSince === undefined))
    return [{ code: 'events-expired', data: {} }];
  return isLater ? [{ code: 'events-since', data: { from: secondOf(known) } }] : [];
}

/** How long a cluster keeps events by default (kube-apiserver, --event-ttl), in seconds. */
const EVENT_SECONDS = 3_600;
/** A difference of this many seconds between two clocks is none. */
const CLOCK_SECONDS = 60;

/** Returns the time from which on events and statuses cover what happened; at the earliest `since`. */
export function knownFrom(evidence: Evidence, since: Timestamp): Timestamp {
  const { now, eventsSince } = evidence;
  const kept = { seconds: now.seconds - EVENT_SECONDS, nanos: 0 };
  const oldest = eventsSince === undefined ? kept : earliestTime([eventsSince, kept]);
  const cut = cutFrom(evidence, [...namespacesOf(evidence), NODE_NAMESPACE]);
  const from = cut !== undefined && compareTimestamps(cut, oldest) > 0 ? cut : oldest;
  return from.seconds > since.seconds + CLOCK_SECONDS ? from : since;
}

/** Verdicts on ends that an event of the kubelet would change. */
const UNREPORTED: readonly Verdict['code'][] = [
  'stopped-by-signal',
  'crashed',
  'ended-without-failure',
  'init-failed',
];
/** Doubts that state what the cluster does not record, or did not write. */
const ABSENCES: readonly Doubt['code'][] = ['sender-unknown', 'end-without-event'];
/** The kubelet reports 255 for a run whose end it did not see, as of a node that was rebooted. */
const UNSEEN = 255;

/** Adds to a verdict on an end, which concludes from missing events, that these were not read. */
export function withMissingEvents(evidence: Evidence, verdict: Verdict): Verdict {
  if (!UNREPORTED.includes(verdict.code)) return verdict;
  const exits = verdict.proof.filter(({ kind }) => kind === 'exited');
  const isMissing = exits.some((exit) => {
    const isUnseen = exit.kind === 'exited' && exit.data.exitCode === UNSEEN;
    const begun = lastSecond(exit) - graceOf(exit, evidence);
    const namespaces = [exit.subject.namespace, ...(isUnseen ? [NODE_NAMESPACE] : [])];
    return missingIn(evidence, namespaces).some(
      (missing) => missing.why === 'unread' || begun < missing.from.seconds,
    );
  });
  if (!isMissing) return verdict;
  const doubts = verdict.doubts.filter(({ code }) => !ABSENCES.includes(code));
  return { ...verdict, doubts: [{ code: 'kubelet-unread', data: {} }, ...doubts] };
}

function namespacesOf({ subject, pods }: Evidence): readonly string[] {
  return [...new Set([subject, ...pods.map((pod) => pod.subject)].flatMap((each) => each?.namespace || []))];
}

function missingIn({ missingEvents }: Evidence, namespaces: readonly string[]): Evidence['missingEvents'] {
  return missingEvents.filter(({ namespace }) => namespace === undefined || namespaces.includes(namespace));
}

function isUnread(evidence: Evidence, namespace: string): boolean {
  return missingIn(evidence, [namespace]).some(({ why }) => why === 'unread');
}

/** Returns the time from which no event of these namespaces was cut. */
function cutFrom(evidence: Evidence, namespaces: readonly string[]): Timestamp | undefined {
  const times = missingIn(evidence, namespaces).flatMap((each) => (each.why === 'cut' ? each.from : []));
  return latestTime(times);
}

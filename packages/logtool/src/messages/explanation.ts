import type {
  Explanation,
  OtherFacts,
  PodCounts,
  ReadErrors,
  UnexplainedPod,
} from '../domain/verdicts/explanation.ts';
import type { ProofLines, Verdict } from '../domain/verdicts/verdict.ts';
import { changeText, factLine, lengthText } from './facts.ts';
import { countText, listText } from './lists.ts';
/** Formats a time from the cluster. */
export type TimeText = (at: OtherFacts['since']) => string;

const MAX_NAMES = 3;

const MAX_HEALTHY = 3;

/** Returns `web (Deployment, shop): 0 of 3 pods are ready; first known sign 11:42:08, 95 s after image v41 -> v42`. */
export function headText(explanation: Explanation, source: string, time: TimeText): string {
  const { subject, since } = explanation;
  const name =
    subject === undefined
      ? source
      : `${subject.name} (${[subject.kind, subject.namespace].filter(Boolean).join(', ')})`;
  const sign = since === undefined ? '' : `; first known sign ${time(since)}${rolloutText(explanation)}`;
  return `${name}: ${stateText(explanation, time)}${sign}`;
}

function stateText(explanation: Explanation, time: TimeText): string {
  const { outcome, pods, verdicts, workloads, healthy } = explanation;
  if (workloads.length > 0)
    return `${workloads.length} of ${countText(workloads.length + healthy.count, 'workload', 'workloads')} ${workloads.length === 1 ? 'has' : 'have'} a problem`;
  const ready = [
    isScaledToZero(explanation) ? 'scaled to 0' : '',
    readyText(pods),
    pods.deleting ? `${countText(pods.deleting, 'pod is', 'pods are')} terminating` : '',
  ]
    .filter(Boolean)
    .join(', ');
  if (outcome === 'healthy')
    return `${healthText(explanation, time)}, ${ready}; ${logsText(explanation, time)}`;
  if (outcome === 'unread') return pods.isUnread ? PODS_UNREAD : 'logtool could not read anything';
  outcome satisfies 'explained' | 'unexplained';
  const isOver = verdicts.length > 0 && verdicts.every((verdict) => verdict.isOver);
  return outcome === 'explained' && isOver ? `${ready} now` : ready;
}

/** Somebody, or an autoscaler, wants none; a CronJob has none between its Jobs, a DaemonSet without nodes for it. */
function isScaledToZero({ subject, pods }: Explanation): boolean {
  return pods.wanted === 0 && SCALABLE.includes(subject?.kind ?? '');
}

/** Kinds whose `spec.replicas` is how many pods they want. */
const SCALABLE: readonly string[] = ['Deployment', 'ReplicaSet', 'StatefulSet', 'ReplicationController'];

const PODS_UNREAD = 'logtool could not read its pods';

function readyText(pods: PodCounts): string {
  if (pods.isUnread) return PODS_UNREAD;
  const all = Math.max(pods.wanted ?? 0, pods.total);
  return all === 0 ? noneText(pods) : `${pods.ready} of ${countText(all, 'pod is', 'pods are')} ready`;
}

function noneText({ ended = 0, deleting = 0 }: PodCounts): string {
  if (ended > 0) return countText(ended, 'pod has ended', 'pods have ended');
  return deleting > 0 ? '' : 'no pods';
}

function healthText({ knownFrom, healthy }: Explanation, time: TimeText): string {
  const all = healthy.count === 0 ? '' : `all ${countText(healthy.count, 'workload is', 'workloads are')} `;
  return `${all}healthy according to the cluster since ${time(knownFrom)}`;
}

/** States only what was read. */
function logsText({ logs }: Explanation, time: TimeText): string {
  if (logs === undefined) return 'logtool did not read its logs';
  if (logs.until === undefined) return 'logtool could not read any log';
  const { containers, from, later, steady, until } = logs;
  const lateText =
    later === undefined ? '' : `, ${later.containers} of them only from ${time(later.from)} on`;
  const where = `the logs of ${countText(containers, 'container', 'containers')}, which logtool read from ${time(from)} to ${time(until)}${lateText}`;
  if (steady === undefined) return `no errors begin in ${where}`;
  const errors = `${steady.errors.toLocaleString('en')} ${steady.errors === 1 ? 'error' : 'errors'}`;
  const since = `${steady.mayBeOlder ? 'since at least' : 'since'} ${time(steady.since)}, the last at ${time(steady.until)}`;
  const rest = steady.mayBeOlder ? ': it did not read where they begin' : startText(steady);
  return `there ${steady.errors === 1 ? 'is' : 'are'} ${errors} ${since}, in ${where}${rest}`;
}

/** Returns what is known of errors that come since their containers started. */
function startText({ startedAt, since, rollout }: ReadErrors): string {
  if (startedAt === undefined) return '';
  const after = since.seconds - startedAt.seconds;
  const begin = after <= 1 ? 'with' : `${lengthText(after * 1_000)} after`;
  const cause = rollout === undefined ? '' : `, which came with rollout ${changeText(rollout)}`;
  return `: they begin ${begin} the start of these containers${cause}; logtool can read nothing older, so it does not know whether they are new`;
}

/**
 * Returns `10 workloads are healthy according to the cluster: a, b, c and 7 more`, and what was read of their logs.
 */
export function healthyText(explanation: Explanation, time: TimeText): string {
  const { count, names } = explanation.healthy;
  const first = names.slice(0, MAX_HEALTHY);
  const others = `${countText(count, 'other workload is', 'other workloads are')} healthy according to the cluster`;
  return `${others}: ${listText({ names: first, more: count - first.length })}; ${logsText(explanation, time)}`;
}

/** States how long after a rollout the first sign came; a coincidence in time, not a proven cause. */
function rolloutText({ rollout }: Explanation): string {
  if (rollout === undefined) return '';
  const { fact, secondsBefore } = rollout;
  const what = changeText(fact.data);
  return secondsBefore === 0
    ? `, with rollout ${what}`
    : `, ${lengthText(secondsBefore * 1_000)} after rollout ${what}`;
}

/** Returns `in 3 pods: web-a, web-b, web-c; 18 restarts; next try 11:47:00`. */
export function extentText(verdict: Verdict, time: TimeText): string {
  const { code, pods, podCount = pods.length, restarts, nextTry, isOver, since, until } = verdict;
  const first = pods.slice(0, MAX_NAMES).map(({ name }) => name);
  const names = listText({ names: first, more: podCount - first.length });
  const texts = [
    code === 'log-errors' ? `since ${time(since)}` : '',
    podCount === 0 ? '' : `in ${countText(podCount, 'pod', 'pods')}: ${names}`,
    restarts === 0 ? '' : countText(restarts, 'restart', 'restarts'),
    nextTry === undefined ? '' : `next try ${time(nextTry)}`,
    isOver ? `over: last seen ${time(until)}` : '',
  ];
  return texts.filter(Boolean).join('; ');
}

/** Returns the heading of a verdict's log lines. `records`: their number. */
export function linesHead(
  {
    kind,
    pod,
    container,
    at,
    records,
  }: Omit<ProofLines, 'records'> & { readonly records: ArrayLike<unknown> },
  time: TimeText,
): string {
  const count = countText(records.length, 'line', 'lines');
  return kind === 'before-exit'
    ? `last ${count} before the exit of ${pod} ${container} (${time(at)}):`
    : `${count} of ${pod} ${container} at that time (${time(at)}):`;
}

/** Returns the heading of lines that were new before errors. */
export function newLinesHead({
  newBefore,
  newCount,
}: {
  readonly newBefore: ArrayLike<unknown>;
  readonly newCount: number;
}): string {
  const cut = newCount > newBefore.length ? `, ${newBefore.length} of ${newCount}` : '';
  return `new shortly before the first error${cut}, most notable first:`;
}

/** Returns the heading of the first error in a log. */
export function firstErrorHead({ isFirstNew }: { readonly isFirstNew: boolean }): string {
  return isFirstNew
    ? 'the first error of a new kind:'
    : 'the first of these errors, of a kind that logtool read earlier:';
}

/** Returns `web-a app, 3 times`: the origin of a line, and how many lines of its kind were read. */
export function originText({
  pod,
  container,
  count = 1,
  isAtStart = false,
}: {
  readonly pod: string;
  readonly container: string;
  readonly count?: number;
  readonly isAtStart?: boolean;
}): string {
  const times = count === 1 ? '' : `, ${count.toLocaleString('en')} times`;
  return `${pod} ${container}${times}${isAtStart ? ', as it started' : ''}`;
}

export function unexplainedText({ pod, phase, waiting, ageSeconds }: UnexplainedPod): string {
  const state = [
    phase,
    waiting === undefined ? '' : `waiting: ${waiting}`,
    ageSeconds === undefined ? '' : `created ${lengthText(ageSeconds * 1_000)} ago`,
  ];
  return `${pod.name} is not ready (${state.filter(Boolean).join(', ')}), and nothing that logtool read explains why`;
}

/** Returns `49 times from 11:40:01 to 11:50:02: [Unhealthy] web-a app Readiness probe failed`. */
export function otherText({ fact, count, since, until }: OtherFacts, time: TimeText): string {
  const range = since.seconds === until.seconds ? time(until) : `from ${time(since)} to ${time(until)}`;
  const times = count === 1 ? range : `${count} times ${range}`;
  return `${times}: ${factLine({ ...fact, until: undefined })}`;
}

export const NO_VERDICT = 'no rule explains it';

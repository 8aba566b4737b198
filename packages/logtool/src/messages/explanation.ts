import type { Explanation, OtherFacts, UnexplainedPod } from '../domain/verdicts/explanation.ts';
import type { ProofLines, Verdict } from '../domain/verdicts/verdict.ts';
import { factLine, imageText, lengthText } from './facts.ts';
import { countText, listText } from './lists.ts';
/** Writes a time of the cluster. */
export type TimeText = (at: OtherFacts['since']) => string;

const MAX_NAMES = 3;

/** `web (Deployment, shop): 0 of 3 pods are ready; first known sign 11:42:08, 95 s after image v41 -> v42` */
export function headText(explanation: Explanation, source: string, time: TimeText): string {
  const { subject, since } = explanation;
  const name =
    subject === undefined
      ? source
      : `${subject.name} (${[subject.kind, subject.namespace].filter(Boolean).join(', ')})`;
  const sign = since === undefined ? '' : `; first known sign ${time(since)}${rolloutText(explanation)}`;
  return `${name}: ${stateText(explanation, time)}${sign}`;
}

function stateText({ outcome, pods, verdicts, from, hasReadLines }: Explanation, time: TimeText): string {
  const all = Math.max(pods.wanted ?? 0, pods.total);
  const ready = all === 0 ? 'no pods' : `${pods.ready} of ${countText(all, 'pod is', 'pods are')} ready`;
  if (outcome === 'healthy')
    return `healthy by the facts of the cluster since ${time(from)}, ${ready}${hasReadLines ? '' : '; its logs were not read'}`;
  if (outcome === 'unread') return 'nothing could be read';
  const isOver = verdicts.length > 0 && verdicts.every((verdict) => verdict.isOver);
  return outcome === 'explained' && isOver ? `${ready} now` : ready;
}

/** A time, not a cause. */
function rolloutText({ rollout }: Explanation): string {
  if (rollout === undefined) return '';
  const { fact, secondsBefore } = rollout;
  const images = fact.data.images.map(imageText).join(', ');
  const what = images === '' ? `revision ${fact.data.revision}` : images;
  return secondsBefore === 0
    ? `, with rollout ${what}`
    : `, ${lengthText(secondsBefore * 1_000)} after rollout ${what}`;
}

/** `in 3 pods: web-a, web-b, web-c; 18 restarts; next try 11:47:00` */
export function extentText(verdict: Verdict, time: TimeText): string {
  const { pods, podCount = pods.length, restarts, nextTry, isOver, until } = verdict;
  const first = pods.slice(0, MAX_NAMES).map(({ name }) => name);
  const names = listText({ names: first, more: podCount - first.length });
  const texts = [
    podCount === 0 ? '' : `in ${countText(podCount, 'pod', 'pods')}: ${names}`,
    restarts === 0 ? '' : countText(restarts, 'restart', 'restarts'),
    nextTry === undefined ? '' : `next try ${time(nextTry)}`,
    isOver ? `over: last seen ${time(until)}` : '',
  ];
  return texts.filter(Boolean).join('; ');
}

/** `records`: how many there are. */
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

export function unexplainedText({ pod, phase, waiting, ageSeconds }: UnexplainedPod): string {
  const state = [
    phase,
    waiting === undefined ? '' : `waits: ${waiting}`,
    ageSeconds === undefined ? '' : `made ${lengthText(ageSeconds * 1_000)} ago`,
  ];
  return `${pod.name} is not ready (${state.filter(Boolean).join(', ')}), and nothing that could be read says why`;
}

/** `49 times from 11:40:01 to 11:50:02: [Unhealthy] web-a app Readiness probe failed` */
export function otherText({ fact, count, since, until }: OtherFacts, time: TimeText): string {
  const range = since.seconds === until.seconds ? time(until) : `from ${time(since)} to ${time(until)}`;
  const times = count === 1 ? range : `${count} times ${range}`;
  return `${times}: ${factLine({ ...fact, until: undefined })}`;
}

export const NO_VERDICT = 'no rule knows why';

import type { Explanation, OtherFacts } from '../../domain/verdicts/explanation.ts';
import type { ProofLines, Verdict } from '../../domain/verdicts/verdict.ts';
import { factObject } from '../output/facts/fact-json.ts';
import { escapeJson } from '../output/format/escape-json.ts';
import type { TimeFormat } from '../output/format/time-format.ts';

const decoder = new TextDecoder();

/** Codes and data; what only people read is left out, but the command that comes next. */
export function explanationJson(
  explanation: Explanation,
  { next, time }: { readonly next: string; readonly time: TimeFormat },
): string {
  const { outcome, subject, pods, since, rollout, verdicts, unexplained, also, doubts } = explanation;
  const json = JSON.stringify({
    type: 'explanation',
    outcome,
    subject,
    pods,
    since: since && time.format(since),
    rollout: rollout && { secondsBefore: rollout.secondsBefore, fact: factObject(rollout.fact, time) },
    verdicts: verdicts.map((verdict) => verdictObject(verdict, time)),
    unexplained: unexplained.map(({ pod, ...rest }) => ({ pod: pod.name, ...rest })),
    also: also.map((other) => otherObject(other, time)),
    doubts,
    next,
  });
  return `${escapeJson(json)}\n`;
}

function verdictObject(verdict: Verdict, time: TimeFormat) {
  const { code, data, pods, since, until, isOver, restarts, proof, lines, doubts, nextTry } = verdict;
  return {
    code,
    data,
    isOver,
    pods: pods.map(({ name }) => name),
    since: time.format(since),
    until: time.format(until),
    restarts,
    nextTry: nextTry && time.format(nextTry),
    doubts,
    lines: lines && linesObject(lines, time),
    proof: proof.map((fact) => factObject(fact, time)),
  };
}

function linesObject({ pod, container, kind, at, firstError, records }: ProofLines, time: TimeFormat) {
  return {
    kind,
    pod,
    container,
    at: time.format(at),
    firstError,
    records: records.map((record) => ({
      timestamp: time.format(record.at),
      message: decoder.decode(record.message),
    })),
  };
}

function otherObject({ fact, count, since, until }: OtherFacts, time: TimeFormat) {
  return { count, since: time.format(since), until: time.format(until), fact: factObject(fact, time) };
}

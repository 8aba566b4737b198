import type { Explanation, OtherFacts } from '../../domain/verdicts/explanation.ts';
import type { LogProof, ShownLine } from '../../domain/verdicts/log-proof.ts';
import type { ProofLines, Verdict } from '../../domain/verdicts/verdict.ts';
import { factObject } from '../output/facts/fact-json.ts';
import { escapeJson } from '../output/format/escape-json.ts';
import type { TimeFormat } from '../output/format/time-format.ts';

const decoder = new TextDecoder();

/** Formats codes and data; omits what only people read, except the next command. */
export function explanationJson(
  explanation: Explanation,
  { next, time }: { readonly next: string; readonly time: TimeFormat },
): string {
  const { outcome, subject, pods, since, rollout, verdicts, unexplained, also, doubts } = explanation;
  const json = JSON.stringify({
    type: 'explanation',
    outcome,
    knownFrom: time.format(explanation.knownFrom),
    subject,
    pods,
    since: since && time.format(since),
    rollout: rollout && { secondsBefore: rollout.secondsBefore, fact: factObject(rollout.fact, time) },
    verdicts: verdicts.map((verdict) => verdictObject(verdict, time)),
    unexplained: unexplained.map(({ pod, ...rest }) => ({ pod: pod.name, ...rest })),
    also: also.map((other) => otherObject(other, time)),
    logs: explanation.logs && {
      containers: explanation.logs.containers,
      from: time.format(explanation.logs.from),
      later: explanation.logs.later && {
        containers: explanation.logs.later.containers,
        from: time.format(explanation.logs.later.from),
      },
      steady: explanation.logs.steady && {
        ...explanation.logs.steady,
        since: time.format(explanation.logs.steady.since),
        until: time.format(explanation.logs.steady.until),
        startedAt: explanation.logs.steady.startedAt && time.format(explanation.logs.steady.startedAt),
      },
      until: explanation.logs.until && time.format(explanation.logs.until),
    },
    doubts,
    workloads: explanation.workloads.map((section) => workloadObject(section, explanation, time)),
    healthy: explanation.healthy,
    next,
  });
  return `${escapeJson(json)}\n`;
}

/** `verdicts`, `unexplained`: indexes in the lists of all workloads. */
function workloadObject(section: Explanation, all: Explanation, time: TimeFormat) {
  const { subject, outcome, pods, since, rollout, verdicts, unexplained } = section;
  return {
    subject,
    outcome,
    pods,
    since: since && time.format(since),
    rollout: rollout && { secondsBefore: rollout.secondsBefore, fact: factObject(rollout.fact, time) },
    verdicts: verdicts.map((verdict) => all.verdicts.indexOf(verdict)),
    unexplained: unexplained.map((pod) => all.unexplained.indexOf(pod)),
  };
}

function verdictObject(verdict: Verdict, time: TimeFormat) {
  const { code, data, pods, since, until, isOver, restarts, proof, lines, log, doubts, nextTry } = verdict;
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
    log: log && logObject(log, time),
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

function logObject({ firstError, isFirstNew, newBefore, newCount }: LogProof, time: TimeFormat) {
  return {
    firstError: lineObject(firstError, time),
    isFirstNew,
    newBefore: newBefore.map((line) => ({
      ...lineObject(line, time),
      count: line.count,
      isAtStart: line.isAtStart,
    })),
    newCount,
  };
}

function lineObject({ record, cutBytes, detail }: ShownLine, time: TimeFormat) {
  const { namespace, pod, container } = record.run.target;
  return {
    timestamp: time.format(record.at),
    namespace,
    pod,
    container,
    message: decoder.decode(record.message),
    ...(cutBytes === 0 ? {} : { cutBytes }),
    detail,
  };
}

function otherObject({ fact, count, since, until }: OtherFacts, time: TimeFormat) {
  return { count, since: time.format(since), until: time.format(until), fact: factObject(fact, time) };
}

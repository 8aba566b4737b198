import { decodeUtf8 } from '@logtool/kube/src/values/sanitize.ts';
import { formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { WhyAnswer, WireVerdict } from '../../contract/why.ts';
import type { Fact } from '../../domain/facts/fact.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { Explanation } from '../../domain/verdicts/explanation.ts';
import type { LogProof, ShownLine } from '../../domain/verdicts/log-proof.ts';
import type { ProofLines, Verdict } from '../../domain/verdicts/verdict.ts';
import { toWireFact } from './to-wire-fact.ts';

const MAX_VERDICTS = 40;
const MAX_WORKLOADS = 40;
const MAX_PODS = 100;
const MAX_PROOF = 50;
/** Maximum characters of a line, or of a cluster's message in a fact. */
const MAX_TEXT = 2_000;
/** Bytes of a line to decode for that. */
const MAX_BYTES = 4 * MAX_TEXT;

/** Converts an explanation to the contract: truncates lists and texts, and gives each list its count. */
export function toWireExplanation(explanation: Explanation): Omit<WhyAnswer, 'notices' | 'failures'> {
  const { outcome, from, subject, pods, since, rollout, verdicts, unexplained, also, doubts, logs } =
    explanation;
  return {
    outcome,
    from: formatTimestamp(from),
    knownFrom: formatTimestamp(explanation.knownFrom),
    subject,
    pods,
    since: since && formatTimestamp(since),
    rollout: rollout && { fact: shortFact(rollout.fact), secondsBefore: rollout.secondsBefore },
    verdicts: verdicts.slice(0, MAX_VERDICTS).map(toWireVerdict),
    verdictCount: verdicts.length,
    unexplained: unexplained.slice(0, MAX_PODS).map((pod) => ({ ...pod })),
    unexplainedCount: unexplained.length,
    also: also.map(({ fact, count, since: first, until }) => ({
      fact: shortFact(fact),
      count,
      since: formatTimestamp(first),
      until: formatTimestamp(until),
    })),
    hasReadLines: explanation.hasReadLines,
    logs: logs && {
      containers: logs.containers,
      from: formatTimestamp(logs.from),
      later: logs.later && { ...logs.later, from: formatTimestamp(logs.later.from) },
      steady: logs.steady && {
        ...logs.steady,
        since: formatTimestamp(logs.steady.since),
        until: formatTimestamp(logs.steady.until),
        startedAt: logs.steady.startedAt && formatTimestamp(logs.steady.startedAt),
      },
      until: logs.until && formatTimestamp(logs.until),
    },
    doubts: [...doubts],
    workloads: explanation.workloads
      .slice(0, MAX_WORKLOADS)
      .map((section) => toWireWorkload(section, explanation)),
    workloadCount: explanation.workloads.length,
    healthy: explanation.healthy,
  };
}

/** Converts the explanation of one workload for the list of all workloads. */
function toWireWorkload(section: Explanation, all: Explanation): WhyAnswer['workloads'][number] {
  const { subject, outcome, pods, since, rollout } = section;
  return {
    subject: subject ?? { kind: '', namespace: '', name: '', uid: '' },
    outcome,
    pods,
    since: since && formatTimestamp(since),
    rollout: rollout && { fact: shortFact(rollout.fact), secondsBefore: rollout.secondsBefore },
    verdicts: indexesOf(section.verdicts, all.verdicts.slice(0, MAX_VERDICTS)),
    unexplained: indexesOf(section.unexplained, all.unexplained.slice(0, MAX_PODS)),
  };
}

function indexesOf<T>(own: readonly T[], all: readonly T[]): number[] {
  return all.flatMap((each, index) => (own.includes(each) ? [index] : []));
}

function toWireVerdict({ podCount: _, ...verdict }: Verdict): WireVerdict {
  const { code, data, pods, since, until, isOver, restarts, proof, lines, log, doubts, nextTry } = verdict;
  return {
    code,
    data: shortTexts(data),
    pods: pods.slice(0, MAX_PODS),
    podCount: pods.length,
    since: formatTimestamp(since),
    until: formatTimestamp(until),
    isOver,
    restarts,
    proof: proof.slice(-MAX_PROOF).map(shortFact),
    proofCount: proof.length,
    lines: lines && toWireLines(lines),
    log: log && toWireLog(log),
    doubts: [...doubts],
    nextTry: nextTry && formatTimestamp(nextTry),
    // Code and data match, which the compiler cannot follow through a copy.
  } as WireVerdict;
}

/** Truncates texts from the cluster. */
function shortTexts(data: object): object {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, typeof value === 'string' ? cut(value) : value]),
  );
}

function shortFact(fact: Fact) {
  return toWireFact({ ...fact, message: cut(fact.message) });
}

function toWireLines({ pod, container, kind, at, firstError, records }: ProofLines): WireVerdict['lines'] {
  return {
    namespace: records[0]?.run.target.namespace ?? '',
    pod,
    container,
    kind,
    at: formatTimestamp(at),
    firstError,
    lines: records.map((record, index) => ({
      at: formatTimestamp(record.at),
      text: cut(decodeUtf8(record.message.subarray(0, MAX_BYTES))),
      order: record.run.keyText,
      ordinal: ordinalOf(records, index),
    })),
  };
}

function toWireLog({ firstError, isFirstNew, newBefore, newCount }: LogProof): WireVerdict['log'] {
  return {
    firstError: toWireLine(firstError),
    isFirstNew,
    newBefore: newBefore.map((line) => ({
      ...toWireLine(line),
      count: line.count,
      isAtStart: line.isAtStart,
    })),
    newCount,
  };
}

function toWireLine({ record, cutBytes, detail, ordinal }: ShownLine) {
  const { namespace, pod, container } = record.run.target;
  return {
    namespace,
    pod,
    container,
    at: formatTimestamp(record.at),
    text: cut(decodeUtf8(record.message.subarray(0, MAX_BYTES)), cutBytes > 0),
    ...(detail === undefined ? {} : { detail: cut(detail) }),
    order: record.run.keyText,
    ordinal,
  };
}

/** Counts the records of the same time and run before one. */
function ordinalOf(records: readonly LogRecord[], index: number): number {
  const record = records[index];
  return records
    .slice(0, index)
    .filter(
      ({ run, at }) =>
        run === record?.run && at.seconds === record.at.seconds && at.nanos === record.at.nanos,
    ).length;
}

/** Marks a text that is cut, here or before. */
function cut(text: string, isCut = false): string {
  return isCut || text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

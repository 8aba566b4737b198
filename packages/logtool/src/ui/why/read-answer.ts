import { parseTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { WireFact } from '../../contract/facts.ts';
import type { WhyAnswer, WireVerdict } from '../../contract/why.ts';
import type { Fact, FactOf } from '../../domain/facts/fact.ts';
import type { Explanation, OtherFacts } from '../../domain/verdicts/explanation.ts';
import type { Verdict } from '../../domain/verdicts/verdict.ts';

/** An explanation in the domain's types; log lines keep the contract's shape, with converted times. */
export interface ReadAnswer {
  readonly explanation: Explanation;
  readonly verdicts: readonly ReadVerdict[];
}

export interface ReadVerdict {
  readonly verdict: Verdict;
  readonly lines: ReadLines | undefined;
  readonly log: ReadLog | undefined;
  /** Number of facts before the first of `verdict.proof` that the server left out. */
  readonly cutProof: number;
}

export interface ReadLog extends Omit<WireLog, 'firstError' | 'newBefore'> {
  readonly firstError: ReadLogLine;
  readonly newBefore: readonly (ReadLogLine & { readonly count: number; readonly isAtStart: boolean })[];
}

type WireLog = NonNullable<WireVerdict['log']>;

export interface ReadLogLine extends Omit<WireLog['firstError'], 'at'> {
  readonly at: Timestamp;
}

interface ReadLines extends Omit<NonNullable<WireVerdict['lines']>, 'at' | 'lines' | 'firstError'> {
  readonly at: Timestamp;
  readonly firstError: number | undefined;
  readonly lines: readonly ReadLine[];
}

export interface ReadLine {
  readonly at: Timestamp;
  readonly text: string;
  readonly order: string;
  readonly ordinal: number;
}

/** Converts the contract's times to those of the domain. */
export function readAnswer(answer: WhyAnswer): ReadAnswer {
  const verdicts = answer.verdicts.map(readVerdict);
  const { from, also, doubts, logs, healthy, hasReadLines } = answer;
  const unexplained = answer.unexplained.map(({ pod, phase, ageSeconds, waiting }) => ({
    pod,
    phase,
    ageSeconds,
    waiting,
  }));
  const whole: Explanation = {
    ...readState(answer),
    from: readTime(from),
    knownFrom: readTime(answer.knownFrom),
    verdicts: verdicts.map(({ verdict }) => verdict),
    unexplained,
    also: also.map(readOther),
    hasReadLines,
    logs: logs && {
      containers: logs.containers,
      from: readTime(logs.from),
      later: logs.later && { ...logs.later, from: readTime(logs.later.from) },
      steady: logs.steady && {
        ...logs.steady,
        since: readTime(logs.steady.since),
        until: readTime(logs.steady.until),
        startedAt: logs.steady.startedAt === undefined ? undefined : readTime(logs.steady.startedAt),
      },
      until: logs.until === undefined ? undefined : readTime(logs.until),
    },
    doubts,
    workloads: [],
    healthy,
  };
  const workloads = answer.workloads.map((section) => ({
    ...whole,
    ...readState(section),
    verdicts: section.verdicts.flatMap((index) => whole.verdicts[index] ?? []),
    unexplained: section.unexplained.flatMap((index) => unexplained[index] ?? []),
  }));
  return { explanation: { ...whole, workloads }, verdicts };
}

/** Reads what a whole answer and one of its workloads have in common. */
function readState({
  outcome,
  subject,
  pods,
  since,
  rollout,
}: Pick<WhyAnswer, 'outcome' | 'subject' | 'pods' | 'since' | 'rollout'>) {
  return {
    outcome,
    subject,
    pods,
    since: since === undefined ? undefined : readTime(since),
    rollout: rollout && {
      fact: readFact(rollout.fact) as FactOf<'rollout'>,
      secondsBefore: rollout.secondsBefore,
    },
  };
}

function readVerdict(wire: WireVerdict): ReadVerdict {
  const { since, until, nextTry, proof, proofCount, lines, log, ...rest } = wire;
  const verdict = {
    ...rest,
    since: readTime(since),
    until: readTime(until),
    nextTry: nextTry === undefined ? undefined : readTime(nextTry),
    proof: proof.map(readFact),
    // The code determines the type of the data; the compiler does not follow that through a copy.
  } as Verdict;
  const read = lines && {
    ...lines,
    at: readTime(lines.at),
    firstError: lines.firstError,
    lines: lines.lines.map((line) => ({ ...line, at: readTime(line.at) })),
  };
  return { verdict, lines: read, log: log && readLog(log), cutProof: proofCount - proof.length };
}

function readLog({ firstError, newBefore, ...rest }: WireLog): ReadLog {
  return {
    ...rest,
    firstError: { ...firstError, at: readTime(firstError.at) },
    newBefore: newBefore.map((line) => ({ ...line, at: readTime(line.at) })),
  };
}

function readOther({ fact, count, since, until }: WhyAnswer['also'][number]): OtherFacts {
  return { fact: readFact(fact), count, since: readTime(since), until: readTime(until) };
}

function readFact(wire: WireFact): Fact {
  const { at, until, since } = wire;
  return {
    ...wire,
    at: readTime(at),
    until: until === undefined ? undefined : readTime(until),
    since: since === undefined ? undefined : readTime(since),
  };
}

const ZERO: Timestamp = { seconds: 0, nanos: 0 };

function readTime(text: string): Timestamp {
  return parseTimestamp(text) ?? ZERO;
}

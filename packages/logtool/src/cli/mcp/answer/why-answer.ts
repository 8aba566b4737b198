import { sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import { formatTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { Fact } from '../../../domain/facts/fact.ts';
import type { LogRecord } from '../../../domain/record.ts';
import { Redactor } from '../../../domain/redact/redactor.ts';
import type { Explanation } from '../../../domain/verdicts/explanation.ts';
import type { LogProof, NewLine, ShownLine } from '../../../domain/verdicts/log-proof.ts';
import type { Verdict } from '../../../domain/verdicts/verdict.ts';
import { doubtText } from '../../../messages/doubts.ts';
import {
  extentText,
  firstErrorHead,
  headText,
  healthyText,
  linesHead,
  newLinesHead,
  originText,
  otherText,
  unexplainedText,
} from '../../../messages/explanation.ts';
import { verdictText } from '../../../messages/verdicts.ts';
import { explainedText, unknownText } from '../messages/why.ts';
import { byteLength, clipBytes } from './clip.ts';
import {
  type Answer,
  composeText,
  countKinds,
  fitNotes,
  fits,
  newFence,
  redactedList,
  redactedText,
} from './compose.ts';
import { recordLine } from './record-line.ts';

export interface WhyAnswerOptions {
  /** The sources that the call names. */
  readonly name: string;
  readonly notes: readonly string[];
  readonly redacts: boolean;
  readonly maxBytes: number;
}

/** How much of an explanation an answer contains: the maximum number of each part, and bytes of each text. */
interface Detail {
  readonly causes: number;
  readonly lines: number;
  readonly events: number;
  readonly others: number;
  readonly textBytes: number;
}

/** From everything useful down to the bare causes; the answer is the first that fits. */
const DETAILS: readonly Detail[] = [
  { causes: 20, lines: 20, events: 10, others: 20, textBytes: 2_000 },
  { causes: 20, lines: 20, events: 5, others: 10, textBytes: 500 },
  { causes: 10, lines: 8, events: 3, others: 5, textBytes: 300 },
  { causes: 5, lines: 3, events: 1, others: 3, textBytes: 200 },
  { causes: 3, lines: 0, events: 0, others: 1, textBytes: 150 },
  { causes: 1, lines: 0, events: 0, others: 0, textBytes: 100 },
  { causes: 0, lines: 0, events: 0, others: 0, textBytes: 80 },
];
const MAX_PODS = 10;

/**
 * Answers with the causes first, and as much of their proof as fits. Fences everything that the cluster or a
 * program wrote.
 */
export function whyAnswer(explanation: Explanation, options: WhyAnswerOptions): Answer {
  const fence = newFence();
  const answers = DETAILS.map((detail) => () => answerOf(explanation, options, detail, fence));
  for (const make of answers) {
    const answer = make();
    if (fits(answer, options.maxBytes)) return answer;
  }
  const least = answerOf(explanation, { ...options, notes: [] }, DETAILS.at(-1)!, fence);
  return { ...least, text: clipBytes(least.text, options.maxBytes) };
}

function answerOf(
  explanation: Explanation,
  { name, notes: given, redacts, maxBytes }: WhyAnswerOptions,
  detail: Detail,
  fence: string,
): Answer {
  const cleaner = new Cleaner(redacts, detail.textBytes);
  const { outcome, verdicts, unexplained, also, doubts } = explanation;
  const causes = verdicts.slice(0, detail.causes).map((verdict) => causeOf(verdict, detail, cleaner));
  const isCut = causes.some((cause) => cause.isCut) || cleaner.hasCut;
  const rest = {
    unexplained: unexplained.slice(0, detail.others).map((pod) => cleaner.clean(unexplainedText(pod))),
    also: also.slice(0, detail.others).map((other) => cleaner.clean(otherText(other, timeText))),
  };
  const truncated =
    isCut ||
    cleaner.hasCut ||
    causes.length < verdicts.length ||
    rest.unexplained.length < unexplained.length ||
    rest.also.length < also.length;
  const notes = fitNotes([...given, ...doubts.map(doubtText)], maxBytes);
  const state = cleaner.clean(headText(explanation, name, timeText));
  const counts = countKinds(cleaner.kinds);
  const redacted = redactedText(counts);
  const summary = explainedText({ ...explanation, codes: verdicts.map(({ code }) => code), truncated });
  return {
    text: composeText(
      {
        head: [summary, ...(redacted === undefined ? [] : [redacted])],
        notes,
        data: [
          state,
          ...causesByWorkload(explanation, causes, cleaner, name),
          ...rest.unexplained,
          ...rest.also.map((text) => `also: ${text}`),
        ],
      },
      fence,
    ),
    structured: {
      summary,
      outcome,
      state,
      causes: causes.map(({ fields }, index) => ({ ...fields, ...workloadOf(explanation, verdicts[index]) })),
      causeCount: verdicts.length,
      ...rest,
      truncated,
      redacted: redactedList(counts),
      notes,
    },
  };
}

/** For several workloads: the state of each, then its causes; the other workloads at the end. */
function causesByWorkload(
  explanation: Explanation,
  causes: readonly { readonly text: readonly string[] }[],
  cleaner: Cleaner,
  name: string,
): readonly string[] {
  const { workloads, healthy, verdicts } = explanation;
  if (workloads.length === 0) return causes.flatMap(({ text }) => text);
  const sections = workloads.flatMap((section) => {
    const own = causes.filter((_, index) => section.verdicts.includes(verdicts[index]!));
    return own.length === 0 && section.verdicts.length > 0
      ? []
      : [cleaner.clean(headText(section, name, timeText)), ...own.flatMap(({ text }) => text)];
  });
  return healthy.count === 0 ? sections : [...sections, cleaner.clean(healthyText(explanation, timeText))];
}

function workloadOf({ workloads }: Explanation, verdict: Verdict | undefined) {
  const subject = workloads.find(({ verdicts }) => verdicts.some((each) => each === verdict))?.subject;
  return subject === undefined ? {} : { workload: `${subject.kind} ${subject.namespace}/${subject.name}` };
}

/** Formats one cause in both forms. */
function causeOf(verdict: Verdict, detail: Detail, cleaner: Cleaner) {
  const { code, isOver, since, until, pods, podCount = pods.length, restarts, proof, lines, log } = verdict;
  const records = lines?.records ?? [];
  const offset = Math.max(0, records.length - detail.lines);
  const shown = records.slice(offset);
  const ofLog = log && logOf(log, detail, cleaner);
  const fields = {
    code,
    text: cleaner.clean(verdictText(verdict)),
    isOver,
    since: timeText(since),
    until: timeText(until),
    pods: pods.slice(0, MAX_PODS).map(({ namespace, name }) => `${namespace}/${name}`),
    podCount,
    restarts,
    doubts: verdict.doubts.map((doubt) => cleaner.clean(doubtText(doubt))),
    events: proof
      .slice(Math.max(0, proof.length - detail.events))
      .map((fact) => cleaner.clean(factText(fact))),
    lines:
      ofLog?.fields ??
      shown.map((record, index) => ({
        ...lineOf(record, cleaner),
        isFirstError: offset + index === lines?.firstError,
      })),
  };
  const extent = extentText(verdict, timeText);
  const head = lines === undefined || shown.length === 0 ? [] : [cleaner.clean(linesHead(lines, timeText))];
  const text = [
    `cause: ${fields.text}`,
    ...(extent === '' ? [] : [`  ${cleaner.clean(extent)}`]),
    ...fields.doubts.map((doubt) => `  ${unknownText(doubt)}`),
    ...fields.events.map((event) => `  event: ${event}`),
    ...head.map((line) => `  ${line}`),
    ...(ofLog?.text ??
      fields.lines.map(
        ({ time, message, isFirstError }) => `  ${isFirstError ? '>' : '|'} ${time} ${message}`,
      )),
  ];
  const isCut = offset > 0 || ofLog?.isCut === true || fields.events.length < proof.length;
  return { fields, text, isCut };
}

function lineOf(record: LogRecord, cleaner: Cleaner) {
  const { fields: line, kinds } = recordLine(record, cleaner.redactor, cleaner.maxBytes);
  cleaner.note(kinds, line.cutBytes !== undefined);
  return { time: line.time, message: line.message };
}

/** Formats the new lines before the errors of a log, and the first error. */
function logOf(log: LogProof, detail: Detail, cleaner: Cleaner) {
  const lineFields = (line: ShownLine | NewLine) => ({
    ...lineOf(line.record, cleaner),
    ...(line.detail === undefined ? {} : { detail: cleaner.clean(line.detail) }),
    origin: cleaner.clean(originText({ ...line, ...line.record.run.target })),
    isFirstError: line === log.firstError,
  });
  const newBefore = log.newBefore.slice(0, detail.lines).map(lineFields);
  const error = detail.lines > 0 ? [lineFields(log.firstError)] : [];
  const textOf = ({ time, origin, message, detail: more = '' }: ReturnType<typeof lineFields>) =>
    `${time} ${origin}: ${message}${more === '' ? '' : ` ... ${more}`}`;
  const text = [
    ...(newBefore.length === 0 ? [] : [`  ${newLinesHead(log)}`]),
    ...newBefore.map((line, index) => `  ${index === 0 ? '>' : '|'} ${textOf(line)}`),
    ...error.flatMap((line) => [`  ${firstErrorHead(log)}`, `  > ${textOf(line)}`]),
  ];
  return {
    fields: [...newBefore, ...error],
    text,
    isCut: newBefore.length < log.newBefore.length || error.length === 0,
  };
}

/** Masks secrets, cuts texts, and records both. */
class Cleaner {
  readonly kinds: string[] = [];
  hasCut = false;
  readonly maxBytes: number;
  readonly redactor: Redactor | undefined;

  constructor(redacts: boolean, maxBytes: number) {
    this.redactor = redacts ? new Redactor() : undefined;
    this.maxBytes = maxBytes;
  }

  clean(text: string): string {
    const plain = sanitizeText(text);
    const { text: masked, kinds } = this.redactor?.redact(plain, undefined, this.maxBytes) ?? {
      text: plain,
      kinds: [],
    };
    const shown = clipBytes(masked, this.maxBytes);
    this.note(kinds, byteLength(plain) > this.maxBytes);
    return shown;
  }

  note(kinds: readonly string[], isCut: boolean): void {
    this.kinds.push(...kinds);
    this.hasCut ||= isCut;
  }
}

function factText(fact: Fact): string {
  const { at, until = at, count } = fact;
  return otherText({ fact, count, since: at, until }, timeText);
}

function timeText(at: Timestamp): string {
  return formatTimestamp(at).replace(/\.0+(?=Z)/, '');
}

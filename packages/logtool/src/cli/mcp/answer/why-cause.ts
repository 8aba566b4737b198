import { formatTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { Fact } from '../../../domain/facts/fact.ts';
import type { LogRecord } from '../../../domain/record.ts';
import type { LogProof, NewLine, ShownLine } from '../../../domain/verdicts/log-proof.ts';
import type { Verdict } from '../../../domain/verdicts/verdict.ts';
import { doubtText } from '../../../messages/doubts.ts';
import {
  extentText,
  firstErrorHead,
  linesHead,
  newLinesHead,
  originText,
  otherText,
} from '../../../messages/explanation.ts';
import { verdictText } from '../../../messages/verdicts.ts';
import { unknownText } from '../messages/why.ts';
import type { Cleaner } from './cleaner.ts';
import { marked } from './clip.ts';
import { recordLine } from './record-line.ts';

/** How much of each cause an answer contains: the maximum number of each part. */
export interface CauseDetail {
  readonly lines: number;
  readonly events: number;
  readonly doubts: number;
  readonly pods: number;
}

/** How many of each part of the causes an answer does not contain. */
export type LeftOut = Readonly<Record<'lines' | 'events' | 'doubts', number>>;

/** Formats one cause in both forms. */
export function causeOf(verdict: Verdict, detail: CauseDetail, cleaner: Cleaner) {
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
    pods: pods.slice(0, detail.pods).map(({ namespace, name }) => `${namespace}/${name}`),
    podCount,
    restarts,
    doubts: verdict.doubts.slice(0, detail.doubts).map((doubt) => cleaner.clean(doubtText(doubt))),
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
  const left: LeftOut = {
    lines: offset + (ofLog?.left ?? 0),
    events: proof.length - fields.events.length,
    doubts: verdict.doubts.length - fields.doubts.length,
  };
  return { fields, text, left };
}

function lineOf(record: LogRecord, cleaner: Cleaner) {
  const { fields: line, kinds } = recordLine(record, cleaner.redactor, cleaner.maxBytes);
  const isCut = line.cutBytes !== undefined;
  cleaner.note(kinds, isCut);
  return { time: line.time, message: isCut ? marked(line.message) : line.message };
}

/** Formats the new lines before the errors of a log, and the first error. */
function logOf(log: LogProof, detail: CauseDetail, cleaner: Cleaner) {
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
    left: log.newBefore.length - newBefore.length + 1 - error.length,
  };
}

function factText(fact: Fact): string {
  const { at, until = at, count } = fact;
  return otherText({ fact, count, since: at, until }, timeText);
}

/** Formats a time, without a fraction if that is 0. */
export function timeText(at: Timestamp): string {
  return formatTimestamp(at).replace(/\.0+(?=Z)/, '');
}

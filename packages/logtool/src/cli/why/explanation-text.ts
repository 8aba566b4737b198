import { sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import { detectLevel } from '../../domain/level.ts';
import { shownLine } from '../../domain/structured/structure-line.ts';
import type { Explanation } from '../../domain/verdicts/explanation.ts';
import type { LogProof, NewLine, ShownLine } from '../../domain/verdicts/log-proof.ts';
import type { ProofLines, Verdict } from '../../domain/verdicts/verdict.ts';
import { doubtText } from '../../messages/doubts.ts';
import {
  extentText,
  firstErrorHead,
  headText,
  healthyText,
  linesHead,
  NO_VERDICT,
  newLinesHead,
  originText,
  otherText,
  type TimeText,
  unexplainedText,
} from '../../messages/explanation.ts';
import { terminationText } from '../../messages/facts.ts';
import { verdictText } from '../../messages/verdicts.ts';

/** Maximum characters of a line of a log or a fact, so that everything fits one screen. */
const MAX_WIDTH = 200;
const MAX_UNEXPLAINED = 3;
const MAX_WORKLOADS = 10;

const decoder = new TextDecoder();

interface ExplanationTexts {
  readonly source: string;
  readonly next: string;
  /** Formats times of facts. */
  readonly time: TimeText;
  /** Formats times of log lines. */
  readonly lineTime: TimeText;
}

type Times = Pick<ExplanationTexts, 'time' | 'lineTime'>;

/** Formats the verdicts and their proof as lines. */
export function explanationText(
  explanation: Explanation,
  { source, next, time, lineTime }: ExplanationTexts,
): string {
  const { workloads, healthy, also, doubts } = explanation;
  const lines = [
    headText(explanation, source, time),
    ...(workloads.length === 0 ? bodyOf(explanation, { time, lineTime }) : []),
    ...workloads
      .slice(0, MAX_WORKLOADS)
      .flatMap((section) => [
        `  ${headText(section, source, time)}`,
        ...bodyOf(section, { time, lineTime }).map((line) => `  ${line}`),
      ]),
    ...moreLine(workloads.length - MAX_WORKLOADS),
    ...(workloads.length > 0 && healthy.count > 0 ? [`  ${healthyText(explanation, time)}`] : []),
    ...doubts.map((doubt) => `  ? ${doubtText(doubt)}`),
    ...also.map((other) => `  also: ${clipped(otherText(other, time))}`),
    `  next: ${next}`,
  ];
  return lines.map((line) => `${sanitizeText(line)}\n`).join('');
}

/** Formats one workload: why, and what is unknown. */
function bodyOf({ verdicts, unexplained, outcome }: Explanation, times: Times): readonly string[] {
  const isBare = outcome === 'unexplained' && verdicts.length + unexplained.length === 0;
  return [
    ...verdicts.flatMap((verdict) => verdictLines(verdict, times)),
    ...unexplained.slice(0, MAX_UNEXPLAINED).map((pod) => `  ? ${unexplainedText(pod)}`),
    ...moreLine(unexplained.length - MAX_UNEXPLAINED),
    ...(isBare ? [`  ? ${NO_VERDICT}`] : []),
  ];
}

function moreLine(more: number): readonly string[] {
  return more > 0 ? [`  ? and ${more} more`] : [];
}

function verdictLines(verdict: Verdict, { time, lineTime }: Times): readonly string[] {
  const extent = extentText(verdict, verdict.code === 'log-errors' ? lineTime : time);
  return [
    `  ${verdictText(verdict)}`,
    ...(extent === '' ? [] : [`    ${extent}`]),
    ...terminationLines(verdict),
    ...verdict.doubts.map((doubt) => `    ? ${doubtText(doubt)}`),
    ...(verdict.lines === undefined ? [] : linesOf(verdict.lines, time)),
    ...(verdict.log === undefined ? [] : logLines(verdict.log, lineTime)),
  ];
}

/** Reports what the last container that ended wrote to its termination message, unless the verdict has it. */
function terminationLines(verdict: Verdict): readonly string[] {
  const last = verdict.proof.findLast(({ kind, message }) => kind === 'exited' && message !== '');
  const text = last === undefined ? '' : terminationText(last);
  return text === '' || verdictText(verdict).includes(text) ? [] : [`    termination message: ${text}`];
}

/** Marks the first error. */
function linesOf(lines: ProofLines, time: TimeText): readonly string[] {
  return [
    `    ${linesHead(lines, time)}`,
    ...lines.records.map(({ message }, index) => {
      const text = decoder.decode(message.subarray(0, MAX_WIDTH * 4)).replaceAll('\t', '    ');
      return `    ${index === lines.firstError ? '>' : '|'} ${clipped(text)}`;
    }),
  ];
}

/** Marks the most conspicuous line and the first error. */
function logLines(log: LogProof, time: TimeText): readonly string[] {
  return [
    ...(log.newBefore.length === 0 ? [] : [`    ${newLinesHead(log)}`]),
    ...log.newBefore.flatMap((line, index) => shownLines(line, index === 0 ? '>' : '|', time)),
    `    ${firstErrorHead(log)}`,
    ...shownLines(log.firstError, '>', time),
  ];
}

function shownLines(line: ShownLine | NewLine, mark: string, time: TimeText): readonly string[] {
  const { record, detail } = line;
  const text = decoder.decode(record.message).replaceAll('\t', '    ');
  const shown = shownLine(text, detectLevel(record.message));
  const origin = originText({ ...line, ...record.run.target });
  return [
    `    ${mark} ${time(record.at)} ${origin}: ${clipped(shown)}`,
    ...(detail === undefined ? [] : [`        ${clipped(detail.trim())}`]),
  ];
}

function clipped(text: string): string {
  return text.length > MAX_WIDTH ? `${text.slice(0, MAX_WIDTH)}…` : text;
}

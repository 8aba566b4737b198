import { sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import type { Explanation } from '../../domain/verdicts/explanation.ts';
import type { ProofLines, Verdict } from '../../domain/verdicts/verdict.ts';
import { doubtText } from '../../messages/doubts.ts';
import {
  extentText,
  headText,
  linesHead,
  NO_VERDICT,
  otherText,
  type TimeText,
  unexplainedText,
} from '../../messages/explanation.ts';
import { verdictText } from '../../messages/verdicts.ts';

/** Characters of a line of a log or a fact, so that all is one screen. */
const MAX_WIDTH = 200;
const MAX_UNEXPLAINED = 3;

const decoder = new TextDecoder();

/** The verdicts and what proves them, as lines. */
export function explanationText(
  explanation: Explanation,
  { source, next, time }: { readonly source: string; readonly next: string; readonly time: TimeText },
): string {
  const { verdicts, unexplained, also, doubts, outcome } = explanation;
  const isBare = outcome === 'unexplained' && verdicts.length + unexplained.length === 0;
  const lines = [
    headText(explanation, source, time),
    ...verdicts.flatMap((verdict) => verdictLines(verdict, time)),
    ...unexplained.slice(0, MAX_UNEXPLAINED).map((pod) => `  ? ${unexplainedText(pod)}`),
    ...moreLine(unexplained.length - MAX_UNEXPLAINED),
    ...(isBare ? [`  ? ${NO_VERDICT}`] : []),
    ...doubts.map((doubt) => `  ? ${doubtText(doubt)}`),
    ...also.map((other) => `  also: ${clipped(otherText(other, time))}`),
    `  next: ${next}`,
  ];
  return lines.map((line) => `${sanitizeText(line)}\n`).join('');
}

function moreLine(more: number): readonly string[] {
  return more > 0 ? [`  ? and ${more} more`] : [];
}

function verdictLines(verdict: Verdict, time: TimeText): readonly string[] {
  const extent = extentText(verdict, time);
  return [
    `  ${verdictText(verdict)}`,
    ...(extent === '' ? [] : [`    ${extent}`]),
    ...verdict.doubts.map((doubt) => `    ? ${doubtText(doubt)}`),
    ...(verdict.lines === undefined ? [] : linesOf(verdict.lines, time)),
  ];
}

/** The first error is marked. */
function linesOf(lines: ProofLines, time: TimeText): readonly string[] {
  return [
    `    ${linesHead(lines, time)}`,
    ...lines.records.map(({ message }, index) => {
      const text = decoder.decode(message.subarray(0, MAX_WIDTH * 4)).replaceAll('\t', '    ');
      return `    ${index === lines.firstError ? '>' : '|'} ${clipped(text)}`;
    }),
  ];
}

function clipped(text: string): string {
  return text.length > MAX_WIDTH ? `${text.slice(0, MAX_WIDTH)}…` : text;
}

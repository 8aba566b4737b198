import { formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { Explanation } from '../../../domain/verdicts/explanation.ts';

interface Explained extends Pick<Explanation, 'outcome' | 'pods' | 'logs' | 'knownFrom'> {
  /** The causes' codes, in order. */
  readonly codes: readonly string[];
  /** What does not fit. */
  readonly leftOut: string | undefined;
}

/** Summarizes the result in codes: what the cluster reports is data below. */
export function explainedText({ outcome, codes, leftOut, ...state }: Explained): string {
  const { pods } = state;
  const ready = pods.isUnread
    ? 'logtool could not read its pods'
    : `${pods.ready} of ${Math.max(pods.wanted ?? 0, pods.total)} pods ready`;
  const cut = leftOut === undefined ? '' : `; a larger max_bytes shows what does not fit: ${leftOut}`;
  return `${ready}; ${outcome === 'healthy' ? healthyText(state) : outcomeText(outcome, codes)}${cut}`;
}

function healthyText({ knownFrom, logs }: Pick<Explanation, 'knownFrom' | 'logs'>): string {
  return `healthy according to the cluster since ${formatTimestamp(knownFrom)}; ${readText(logs)}`;
}

function readText(logs: Explanation['logs']): string {
  if (logs?.until === undefined) return 'logtool did not read its logs';
  const { steady } = logs;
  if (steady === undefined) return 'no errors begin in what logtool read of its logs';
  const errors = `${steady.errors.toLocaleString('en')} ${steady.errors === 1 ? 'error' : 'errors'}`;
  const since = formatTimestamp(steady.since);
  if (steady.mayBeOlder)
    return `its logs have ${errors} since at least ${since}, but logtool did not read where they begin`;
  if (steady.startedAt === undefined) return `its logs have ${errors} since ${since}`;
  return `its logs have ${errors} since ${since}, soon after its containers started at ${formatTimestamp(steady.startedAt)}: logtool can read nothing older, so they may be new`;
}

function outcomeText(outcome: Exclude<Explanation['outcome'], 'healthy'>, codes: readonly string[]): string {
  const count = codes.length === 1 ? '1 cause' : `${codes.length} causes, each before its consequences`;
  const causes = `${count}: ${[...new Set(codes)].join(', ')}`;
  switch (outcome) {
    case 'explained':
      return causes;
    case 'unexplained':
      return codes.length === 0
        ? 'something is wrong, and nothing that logtool read explains why'
        : `${causes}; some of the problem remains unexplained`;
    case 'unread':
      return 'logtool could not read anything; the notes explain why';
  }
}

/** Describes what a cause leaves open. */
export function unknownText(doubt: string): string {
  return `unknown: ${doubt}`;
}

/** Numbers of what an answer has no room for. */
export interface LeftOut {
  /** Causes that it does not contain at all. */
  readonly causes: readonly { readonly code: string; readonly workload: string | undefined }[];
  /** Causes of which it contains only the text. */
  readonly proofs: number;
  readonly lines: number;
  readonly events: number;
  readonly doubts: number;
  readonly pods: number;
  readonly others: number;
  /** The ends of some texts. */
  readonly hasCut: boolean;
}

const MAX_NAMED = 3;

/** Names what an answer has no room for; undefined if it contains everything. */
export function leftOutText(left: LeftOut): string | undefined {
  const { causes } = left;
  const named = causes
    .slice(0, MAX_NAMED)
    .map(({ code, workload }) => (workload === undefined ? code : `${code} of ${workload}`));
  const more = causes.length - named.length;
  const texts = [
    ...(causes.length === 0
      ? []
      : [
          `${countOf(causes.length, 'cause')} (${[...named, ...(more === 0 ? [] : [`${more} more`])].join(', ')})`,
        ]),
    ...(left.proofs === 0 ? [] : [`the proof of ${countOf(left.proofs, 'cause')}`]),
    ...countsOf([left.lines, 'line'], [left.events, 'event'], [left.doubts, 'doubt']),
    ...countsOf([left.pods, 'unexplained pod'], [left.others, 'other fact']),
    ...(left.hasCut ? ['the ends of texts with …'] : []),
  ];
  return texts.length === 0 ? undefined : texts.join(', ');
}

function countsOf(...counts: readonly (readonly [number, string])[]): readonly string[] {
  return counts.flatMap(([count, what]) => (count === 0 ? [] : [countOf(count, what)]));
}

function countOf(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

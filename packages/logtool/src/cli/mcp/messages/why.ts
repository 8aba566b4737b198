import { formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { Explanation } from '../../../domain/verdicts/explanation.ts';

interface Explained extends Pick<Explanation, 'outcome' | 'pods' | 'logs'> {
  /** The causes' codes, in order. */
  readonly codes: readonly string[];
  /** Some of it does not fit. */
  readonly truncated: boolean;
}

/** Summarizes the result in codes: what the cluster reports is data below. */
export function explainedText({ outcome, codes, pods, logs, truncated }: Explained): string {
  const ready = pods.isUnread
    ? 'logtool could not read its pods'
    : `${pods.ready} of ${Math.max(pods.wanted ?? 0, pods.total)} pods ready`;
  const cut = truncated ? '; not all of the proof fits, a larger max_bytes shows more' : '';
  return `${ready}; ${outcome === 'healthy' ? healthyText(logs) : outcomeText(outcome, codes)}${cut}`;
}

function healthyText(logs: Explanation['logs']): string {
  return `healthy according to the cluster in this range; ${readText(logs)}`;
}

function readText(logs: Explanation['logs']): string {
  if (logs?.until === undefined) return 'logtool did not read its logs';
  const { steady } = logs;
  if (steady === undefined) return 'no errors begin in what logtool read of its logs';
  const errors = `${steady.errors.toLocaleString('en')} ${steady.errors === 1 ? 'error' : 'errors'}`;
  const since = formatTimestamp(steady.since);
  return steady.mayBeOlder
    ? `its logs have ${errors} since at least ${since}, but logtool did not read where they begin`
    : `its logs have ${errors} since ${since}`;
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

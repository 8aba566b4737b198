import type { Explanation } from '../../../domain/verdicts/explanation.ts';

interface Explained extends Pick<Explanation, 'outcome' | 'pods' | 'logs'> {
  /** The causes' codes, in order. */
  readonly codes: readonly string[];
  /** Some of it does not fit. */
  readonly truncated: boolean;
}

/** Summarizes the result in codes: what the cluster reports is data below. */
export function explainedText({ outcome, codes, pods, logs, truncated }: Explained): string {
  const ready = `${pods.ready} of ${Math.max(pods.wanted ?? 0, pods.total)} pods ready`;
  const cut = truncated ? '; not all of the proof fits, a larger max_bytes shows more' : '';
  return `${ready}; ${outcome === 'healthy' ? healthyText(logs) : outcomeText(outcome, codes)}${cut}`;
}

function healthyText(logs: Explanation['logs']): string {
  const read =
    logs?.until === undefined ? 'its logs were not read' : 'no errors begin in what was read of its logs';
  return `healthy by the facts of the cluster in this range; ${read}`;
}

function outcomeText(outcome: Exclude<Explanation['outcome'], 'healthy'>, codes: readonly string[]): string {
  const count = codes.length === 1 ? '1 cause' : `${codes.length} causes, what leads to another first`;
  const causes = `${count}: ${[...new Set(codes)].join(', ')}`;
  switch (outcome) {
    case 'explained':
      return causes;
    case 'unexplained':
      return codes.length === 0
        ? 'something is wrong, and nothing that could be read says why'
        : `${causes}; not all of the trouble is explained`;
    case 'unread':
      return 'nothing could be read; the notes say why';
  }
}

/** Describes what a cause leaves open. */
export function unknownText(doubt: string): string {
  return `not known: ${doubt}`;
}

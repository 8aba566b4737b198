import {
  compareTimestamps,
  earliestTime,
  latestTime,
  type Timestamp,
} from '@logtool/kube/src/values/timestamp.ts';
import type { Explanation, OtherFacts } from '../../domain/verdicts/explanation.ts';
import type { Doubt } from '../../domain/verdicts/verdict.ts';

/** Maximum names of workloads without trouble. */
const MAX_NAMES = 5;
/** Maximum facts beside the verdicts, over all workloads. */
const MAX_OTHERS = 6;

/** Combines the explanations of several workloads: ongoing trouble before past trouble, earliest first. */
export function combine(sections: readonly Explanation[], from: Timestamp): Explanation {
  const troubled = sections.filter(isTroubled).sort(byTrouble);
  const healthy = sections.filter((section) => !isTroubled(section));
  return {
    outcome: outcomeOf(sections),
    from,
    // That of a healthy one is since when it is.
    knownFrom: latestTime([
      from,
      ...(troubled.length > 0 ? troubled : sections).map((section) => section.knownFrom),
    ]),
    subject: undefined,
    pods: {
      ...(sections.some(({ pods }) => pods.isUnread) ? { isUnread: true } : {}),
      total: sum(sections, ({ pods }) => pods.total),
      ready: sum(sections, ({ pods }) => pods.ready),
      wanted: sum(sections, ({ pods }) => pods.wanted ?? pods.total),
      ended: sum(sections, ({ pods }) => pods.ended ?? 0),
      deleting: sum(sections, ({ pods }) => pods.deleting ?? 0),
    },
    since: earliestTime(troubled.flatMap(({ since }) => since ?? [])),
    rollout: undefined,
    verdicts: troubled.flatMap(({ verdicts }) => verdicts),
    unexplained: troubled.flatMap(({ unexplained }) => unexplained),
    also: distinctFacts(troubled.flatMap(({ also }) => also)).slice(0, MAX_OTHERS),
    hasReadLines: sections.some(({ hasReadLines }) => hasReadLines),
    logs: undefined,
    doubts: distinct(sections.flatMap(({ doubts }) => doubts)),
    workloads: troubled,
    healthy: {
      count: healthy.length,
      names: healthy.slice(0, MAX_NAMES).map((section) => nameOf(section, sections)),
    },
  };
}

/** Returns the name of a workload, with its namespace and its kind as far as another workload of that name differs in it. */
function nameOf({ subject }: Explanation, all: readonly Explanation[]): string {
  if (subject === undefined) return '';
  const { kind, namespace, name } = subject;
  const others = all.flatMap((section) =>
    section.subject?.name === name && section.subject !== subject ? section.subject : [],
  );
  const hasKind = others.some((other) => other.namespace === namespace);
  const hasNamespace = others.some((other) => other.namespace !== namespace);
  return `${hasKind ? `${kind} ` : ''}${hasNamespace ? `${namespace}/` : ''}${name}`;
}

function isTroubled({ outcome, verdicts }: Explanation): boolean {
  return outcome !== 'healthy' || verdicts.length > 0;
}

function byTrouble(a: Explanation, b: Explanation): number {
  const holds = ({ verdicts, outcome }: Explanation) =>
    Number(outcome === 'unexplained' || verdicts.some(({ isOver }) => !isOver));
  return holds(b) - holds(a) || compareSince(a.since, b.since);
}

function compareSince(a: Timestamp | undefined, b: Timestamp | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return compareTimestamps(a, b);
}

function outcomeOf(sections: readonly Explanation[]): Explanation['outcome'] {
  const has = (outcome: Explanation['outcome']) => sections.some((section) => section.outcome === outcome);
  if (has('unexplained')) return 'unexplained';
  if (has('explained')) return 'explained';
  return has('healthy') ? 'healthy' : 'unread';
}

function sum(sections: readonly Explanation[], of: (section: Explanation) => number): number {
  return sections.reduce((all, section) => all + of(section), 0);
}

function distinct(doubts: readonly Doubt[]): readonly Doubt[] {
  return [...new Map(doubts.map((doubt) => [JSON.stringify(doubt), doubt])).values()];
}

/** Facts about a node, or about no workload, are those of several: of each, keeps the one with the most occurrences. */
function distinctFacts(others: readonly OtherFacts[]): readonly OtherFacts[] {
  const byId = new Map<string, OtherFacts>();
  for (const other of others) {
    const known = byId.get(other.fact.id);
    if (known === undefined || known.count < other.count) byId.set(other.fact.id, other);
  }
  return [...byId.values()];
}

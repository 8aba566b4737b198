import type { Fact } from '../../../domain/facts/fact.ts';
import type { NodeRefusal } from '../../../domain/verdicts/verdict.ts';
import { type Evidence, eventsOf, factsOf, lastSecond, nodeOf } from '../evidence.ts';
import { groupsOf } from '../groups-of.ts';
import { isReplaced, makeVerdict, type Rule } from '../make-verdict.ts';

/** The messages of the scheduler's plugins (pkg/scheduler/framework/plugins), the more specific first. */
const REFUSALS: readonly (readonly [NodeRefusal['reason'], RegExp])[] = [
  ['resource', /^Insufficient |^Too many pods/],
  ['taint', /untolerated taint/],
  ['volume-affinity', /volume node affinity conflict|PersistentVolume's node affinity/],
  ['pod-affinity', /pod (?:anti-)?affinity/],
  ['affinity', /didn't match Pod's node affinity|node selector/],
  ['topology-spread', /topology spread/],
  ['ports', /free ports/],
  ['cordoned', /unschedulable/],
  ['volumes', /PersistentVolumeClaims|max volume count|volume/i],
];

/**
 * Parses `0/2 nodes are available: 2 Insufficient cpu, 1 node(s) had untolerated taint {a: b}. preemption:
 * ...`.
 */
export function readRefusals(message: string) {
  const match = /^\d+\/(\d+) nodes are available: (.*)$/s.exec(message);
  if (match === null) return { nodes: undefined, refusals: [] };
  // A sentence about preemption and claims follows.
  const [reasons = ''] = (match[2] ?? '').split(/\. (?=no new claims|preemption:)|\.$/);
  const refusals = reasons.split(/, (?=\d+ )/).flatMap((clause): readonly NodeRefusal[] => {
    const found = /^(\d+) (?:node\(s\) )?(.+)$/s.exec(clause);
    if (found === null) return [];
    const text = found[2] ?? '';
    const reason = REFUSALS.find(([, pattern]) => pattern.test(text))?.[0] ?? 'other';
    return [{ nodes: Number(found[1]), reason, text }];
  });
  return { nodes: Number(match[1]), refusals };
}

/** Proof: the pod's condition, with the scheduler's message. */
export const unschedulable: Rule = (evidence) => {
  const facts = factsOf(evidence, 'unschedulable');
  return groupsOf(facts, ({ message }) => message).map((group) => {
    const uids = new Set(group.map(({ subject }) => subject.uid));
    const events = eventsOf(evidence, 'FailedScheduling').filter(({ subject }) => uids.has(subject.uid));
    const { message } = group[0];
    return makeVerdict(evidence, 'unschedulable', { ...readRefusals(message), message }, [
      ...group,
      ...events,
    ]);
  });
};

/** Proof: the pod's own condition or status, or the scheduler's event about a deleted pod. */
export const preempted: Rule = (evidence) => {
  const facts: readonly Fact[] = [...factsOf(evidence, 'preempted'), ...eventsOf(evidence, 'Preempted')];
  const [first, ...rest] = facts.filter(({ subject }) => subject.kind === 'Pod');
  if (first === undefined) return [];
  // A preempted pod waits until there is room again.
  const isOver = factsOf(evidence, 'unschedulable').length === 0;
  return [makeVerdict(evidence, 'preempted', { message: first.message }, [first, ...rest], { isOver })];
};

/** Proof: the pod's own condition or status. A lost node explains it better. */
export const evicted: Rule = (evidence) => {
  const lost = new Set(lostNodes(evidence).keys());
  const facts = factsOf(evidence, 'evicted').filter(
    (fact) => !(fact.reason === 'DeletionByTaintManager' && lost.has(fact.data.node ?? '')),
  );
  const events = eventsOf(evidence, 'Evicted').filter(({ subject }) => subject.kind === 'Pod');
  const reported = [
    ...facts.map((fact) => ({
      fact,
      node: fact.data.node,
      isAsked: fact.reason === 'EvictionByEvictionAPI',
    })),
    ...events.map((fact) => ({ fact, node: nodeOf(evidence, fact.subject), isAsked: false })),
  ];
  return groupsOf(reported, ({ node, isAsked }) => `${node} ${isAsked}`).map((group) => {
    const [{ node, isAsked }] = group;
    const proof = group.map(({ fact }) => fact) as unknown as readonly [Fact, ...Fact[]];
    const message = group.find(({ fact }) => fact.message !== '')?.fact.message.trim() ?? '';
    const code = isAsked ? 'evicted-by-request' : 'evicted';
    return makeVerdict(evidence, code, { node, message }, proof, { isOver: isReplaced(evidence) });
  });
};

/** Returns nodes that do not report, by name, with the facts that show it. */
function lostNodes(evidence: Evidence): ReadonlyMap<string, readonly Fact[]> {
  const lost = new Map<string, Fact[]>();
  const conditions = factsOf(evidence, 'node-condition').filter(
    ({ data, severity }) => data.type === 'Ready' && severity !== 'normal',
  );
  const events = eventsOf(evidence, 'NodeNotReady').filter(({ subject }) => subject.kind === 'Node');
  for (const fact of [...conditions, ...events])
    lost.set(fact.subject.name, [...(lost.get(fact.subject.name) ?? []), fact]);
  return lost;
}

/**
 * Proof: the node's condition, or its controller's event, and a pod in view on it that stopped being ready at
 * the same time.
 */
export const nodeLost: Rule = (evidence) =>
  [...lostNodes(evidence)].flatMap(([node, facts]) => {
    // A boot explains it better.
    if (eventsOf(evidence, 'Rebooted').some(({ subject }) => subject.name === node)) return [];
    const since = Math.min(...facts.map(({ at }) => at.seconds));
    const hit = [
      ...eventsOf(evidence, 'NodeNotReady', 'TaintManagerEviction').filter(
        ({ subject }) => subject.kind === 'Pod',
      ),
      ...factsOf(evidence, 'not-ready').filter((fact) => fact.reason === ''),
      ...factsOf(evidence, 'evicted').filter(({ reason }) => reason === 'DeletionByTaintManager'),
    ].filter((fact) => nodeOf(evidence, fact.subject) === node && lastSecond(fact) >= since - 1);
    const taints = factsOf(evidence, 'node-taint').filter(({ subject }) => subject.name === node);
    if (hit.length === 0) return [];
    const proof = [...facts, ...taints, ...hit] as unknown as readonly [Fact, ...Fact[]];
    const isBack = facts.every(({ kind }) => kind === 'event') && isReadyAgain(evidence, node);
    return [makeVerdict(evidence, 'node-lost', { node, isBack }, proof, { isOver: isReplaced(evidence) })];
  });

function isReadyAgain(evidence: Evidence, node: string): boolean {
  return (
    eventsOf(evidence, 'NodeReady').some(({ subject }) => subject.name === node) ||
    factsOf(evidence, 'node-condition').some(
      ({ subject, data }) => subject.name === node && data.type === 'Ready' && data.status === 'True',
    )
  );
}

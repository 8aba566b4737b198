import type { Fact, FactOf } from '../../../domain/facts/fact.ts';
import type { Doubt, NodeRefusal, Verdict } from '../../../domain/verdicts/verdict.ts';
import { type Evidence, eventsOf, factsOf, lastSecond, nodeOf, podOf } from '../evidence.ts';
import { groupsOf, mapGroup } from '../groups-of.ts';
import { areAllWell, hasRecovered, isReplaced, makeVerdict, type Rule } from '../make-verdict.ts';
import { REBOOT_SECONDS } from './exit-cause.ts';
import { failuresOfGone } from './start-stages.ts';

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

/** Proof: the pod's condition, with the scheduler's message; of a pod that is gone, the scheduler's event. */
export const unschedulable: Rule = (evidence) => {
  // A pod with a gate is not scheduled yet.
  const facts: readonly Fact[] = [
    ...factsOf(evidence, 'unschedulable').filter(({ reason }) => reason !== 'SchedulingGated'),
    ...failuresOfGone(evidence, 'FailedScheduling'),
  ];
  return groupsOf(facts, ({ message }) => message).map((group) => {
    const uids = new Set(group.map(({ subject }) => subject.uid));
    const events = eventsOf(evidence, 'FailedScheduling').filter(
      (fact) => uids.has(fact.subject.uid) && !group.includes(fact),
    );
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
  // The kubelet states the pod's own usage with numbers; wherever a pod runs, it is the same trouble.
  const keyOf = ({ node, isAsked, fact }: (typeof reported)[number]) =>
    isAsked ? `${node}` : fact.message.replaceAll(/\d+(?:[KMGT]i?)?/g, '0');
  return groupsOf(reported, keyOf).map((group) => {
    const [{ isAsked }] = group;
    const nodes = new Set(group.map(({ node }) => node));
    const node = nodes.size === 1 ? group[0].node : undefined;
    const proof = mapGroup(group, ({ fact }) => fact);
    const message = group.find(({ fact }) => fact.message !== '')?.fact.message.trim() ?? '';
    const code = isAsked ? 'evicted-by-request' : 'evicted';
    const again = isAsked ? [] : againDoubts(evidence, proof);
    return makeVerdict(evidence, code, { node, message }, proof, {
      isOver: again.length === 0 && isReplaced(evidence, proof),
      doubts: again,
    });
  });
};

/**
 * Returns the doubt that evictions are over: the pods that took the place of evicted ones were evicted too, and the present
 * one has not lasted much longer than those.
 */
function againDoubts(evidence: Evidence, evictions: readonly Fact[]): readonly Doubt[] {
  const inOrder = [...evictions].sort((a, b) => lastSecond(a) - lastSecond(b));
  const lasted: number[] = [];
  let last: number | undefined;
  for (const fact of inOrder) {
    const created = podOf(evidence, fact.subject)?.createdAt?.seconds;
    if (last !== undefined && created !== undefined && created >= last)
      lasted.push(lastSecond(fact) - created);
    // Evictions of several pods at once are one.
    if (last === undefined || (created !== undefined && created >= last)) last = lastSecond(fact);
  }
  if (last === undefined || lasted.length === 0) return [];
  const lastedSeconds = Math.max(...lasted);
  const seconds = evidence.now.seconds - last;
  if (seconds > AGAIN_FACTOR * lastedSeconds) return [];
  const data = { times: lasted.length + 1, seconds, lastedSeconds };
  return [{ code: 'may-be-evicted-again', data }];
}

/** A pod that has lasted so much longer than those before is not expected to be evicted. */
const AGAIN_FACTOR = 1.5;

/** Returns nodes that are, or were, not ready, by name, with the facts that show it. A boot explains some better. */
function lostNodes(evidence: Evidence): ReadonlyMap<string, readonly Fact[]> {
  const lost = new Map<string, Fact[]>();
  const events = eventsOf(evidence, 'NodeNotReady').filter(
    (fact) => fact.subject.kind === 'Node' && !isByBoot(evidence, fact),
  );
  for (const fact of [...notReadyNow(evidence), ...events])
    lost.set(fact.subject.name, [...(lost.get(fact.subject.name) ?? []), fact]);
  return lost;
}

/**
 * Returns nodes that could not be read, by name, with the events of their pods that report that they were not ready
 * (pkg/controller/util/node, MarkPodsNotReady).
 */
function lostByPods(evidence: Evidence): ReadonlyMap<string, readonly Fact[]> {
  const lost = new Map<string, Fact[]>();
  if (!evidence.unread.has('nodes')) return lost;
  const events = eventsOf(evidence, 'NodeNotReady');
  const known = new Set(events.flatMap(({ subject }) => (subject.kind === 'Node' ? subject.name : [])));
  for (const fact of events.filter(({ subject }) => subject.kind === 'Pod')) {
    const node = nodeOf(evidence, fact.subject);
    if (node !== undefined && !known.has(node)) lost.set(node, [...(lost.get(node) ?? []), fact]);
  }
  return lost;
}

function notReadyNow(evidence: Evidence): readonly FactOf<'node-condition'>[] {
  return factsOf(evidence, 'node-condition').filter(
    ({ data, severity }) => data.type === 'Ready' && severity !== 'normal',
  );
}

/** Whether the node was last not ready because it booted: it is not shortly before, and until its kubelet is up. */
function isByBoot(evidence: Evidence, fact: Fact): boolean {
  const at = lastSecond(fact);
  return eventsOf(evidence, 'Rebooted').some(
    (boot) =>
      boot.subject.name === fact.subject.name &&
      at >= boot.at.seconds - REBOOT_SECONDS &&
      at <= lastSecond(boot) + UP_SECONDS,
  );
}

const UP_SECONDS = 60;

/**
 * Proof: the node's condition, or its controller's event, and a pod in view on it that stopped being ready at
 * the same time. An event counts by its last time: its first may be of an earlier loss.
 */
export const nodeLost: Rule = (evidence) => [
  ...[...lostNodes(evidence)].flatMap(([node, facts]) => {
    const [now] = notReadyNow(evidence).filter(({ subject }) => subject.name === node);
    const since = now?.at ?? { seconds: Math.min(...facts.map(lastSecond)), nanos: 0 };
    const hit = hitPods(evidence, node, since.seconds);
    const [first, ...others] = hit;
    if (first === undefined) return [];
    const taints = factsOf(evidence, 'node-taint').filter(({ subject }) => subject.name === node);
    const proof = [first, ...others, ...facts, ...taints] as const;
    const back = now === undefined ? readyAgain(evidence, node, since.seconds) : undefined;
    const isOver = back === undefined ? areAllWell(evidence) : !areStillHit(evidence, hit, back);
    // The kubelet reports False itself; Unknown means that it reports nothing:
    // https://kubernetes.io/docs/reference/node/node-status/#condition
    const message = now?.data.status === 'False' ? now.message : undefined;
    return [
      makeVerdict(evidence, 'node-lost', { node, isBack: back !== undefined, message }, proof, {
        isOver,
        since,
      }),
    ];
  }),
  ...nodeLostByPods(evidence),
];

/**
 * Of nodes that could not be read. Proof: the event of a pod, and that the pod's condition did not change later. Whether
 * the node is back, only its pods show.
 */
function nodeLostByPods(evidence: Evidence): readonly Verdict[] {
  return [...lostByPods(evidence)].flatMap(([node, facts]) => {
    const since = Math.min(...facts.map(lastSecond));
    const hit = hitPods(evidence, node, since);
    const [first, ...others] = hit;
    if (first === undefined) return [];
    const until = Math.max(...facts.map(lastSecond)) + MARK_SECONDS;
    const data = { node, isBack: false, isUnread: true };
    return makeVerdict(evidence, 'node-lost', data, [first, ...others], {
      isOver: !areStillHit(evidence, hit, until),
      since: { seconds: since, nanos: 0 },
      doubts: [{ code: 'node-unread', data: { node } }],
    });
  });
}

/** The controller writes the condition of a pod and its event within this time. */
const MARK_SECONDS = 5;

/** Returns what shows that pods on the node were not ready, or were evicted, since it is lost. */
function hitPods(evidence: Evidence, node: string, since: number): readonly Fact[] {
  const events = eventsOf(evidence, 'NodeNotReady', 'TaintManagerEviction');
  return [
    ...events.filter(({ subject }) => subject.kind === 'Pod'),
    ...factsOf(evidence, 'not-ready').filter((fact) => fact.reason === ''),
    ...factsOf(evidence, 'evicted').filter(({ reason }) => reason === 'DeletionByTaintManager'),
  ].filter((fact) => nodeOf(evidence, fact.subject) === node && lastSecond(fact) >= since - 1);
}

/** Returns when the node was ready again after its last loss, in seconds; undefined if nothing shows that. */
function readyAgain(evidence: Evidence, node: string, since: number): number | undefined {
  const events = eventsOf(evidence, 'NodeReady').filter(({ subject }) => subject.name === node);
  const conditions = factsOf(evidence, 'node-condition').filter(
    ({ subject, data }) => subject.name === node && data.type === 'Ready' && data.status === 'True',
  );
  return [...conditions, ...events].map(lastSecond).find((second) => second >= since);
}

/** Whether a pod is not ready since the loss: one that stopped being ready later has another reason. */
function areStillHit(evidence: Evidence, hit: readonly Fact[], back: number): boolean {
  return hit.some(({ subject }) => {
    const pod = podOf(evidence, subject);
    const lost = factsOf(evidence, 'not-ready').findLast((fact) => fact.subject.uid === subject.uid);
    return (
      pod !== undefined && !hasRecovered(evidence, pod) && (lost === undefined || lost.at.seconds <= back)
    );
  });
}

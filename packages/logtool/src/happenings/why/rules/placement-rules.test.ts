import { expect, test } from 'vitest';
import { eventFact, exitFact } from '../../../../../../test/support/domain/facts.ts';
import { containerNow, evidenceOf, podNow } from '../../../../../../test/support/why/evidence.ts';
import type { Fact, FactOf, FactSubject } from '../../../domain/facts/fact.ts';
import { judge } from '../judge.ts';
import type { PodNow } from '../pod-now.ts';

const at = (seconds: number) => ({ seconds, nanos: 0 });
const NODE: FactSubject = { kind: 'Node', namespace: '', name: 'node-1', uid: 'n1' };
const POD: FactSubject = { kind: 'Pod', namespace: 'shop', name: 'web-1', uid: 'web-1' };
/** When the node was booted, and when it is now. */
const BOOT = 5_000;
const NOW = 10_000;

let ids = 0;

function nodeEvent(reason: string, seconds: number, until = seconds): Fact {
  return eventFact({ id: `event ${++ids}`, at: at(seconds), until: at(until), reason, subject: NODE });
}

function factAt<K extends Fact['kind']>(kind: K, seconds: number, rest: Partial<FactOf<K>>): Fact {
  const base = { id: `${kind} ${++ids}`, at: at(seconds), precision: 's', severity: 'warning' } as const;
  const text = { reason: '', message: '', count: 1, source: 'pod', subject: POD } as const;
  return { ...base, ...text, kind, ...rest } as unknown as Fact;
}

const condition = (status: string, seconds: number, message = '') =>
  factAt('node-condition', seconds, {
    subject: NODE,
    message,
    severity: status === 'True' ? 'normal' : 'warning',
    data: { type: 'Ready', status },
  });
const notReady = (seconds: number) => factAt('not-ready', seconds, { data: {} });
const ENDED = exitFact({
  id: 'ended by the boot',
  at: at(BOOT),
  reason: 'Unknown',
  data: { exitCode: 255, restarts: 0, isInit: false, wasDeleted: false },
});

/** A pod whose container was ready before its node was lost. */
const LOST = podNow({ containers: [containerNow({ isReady: true })] });
const READY = podNow({ isReady: true, containers: [containerNow({ isReady: true })] });

function judged(facts: readonly Fact[], pod: PodNow = LOST) {
  const { verdicts, outcome } = judge(evidenceOf(facts, { pods: [pod], now: at(NOW) }), at(0));
  return {
    outcome,
    verdicts: verdicts.map(({ code, since, isOver }) => [code, since.seconds, isOver ? 'over' : 'now']),
    data: verdicts[0]?.data,
  };
}

test('a lost node that rebooted before is lost since then', () => {
  const facts = [
    // One event for both: the controller counts equal ones.
    nodeEvent('NodeNotReady', BOOT - 100, NOW - 60),
    nodeEvent('Rebooted', BOOT),
    ENDED,
    nodeEvent('NodeReady', BOOT + 10),
    condition('Unknown', NOW - 60),
    notReady(NOW - 60),
  ];
  expect(judged(facts)).toEqual({
    outcome: 'explained',
    verdicts: [
      ['node-lost', NOW - 60, 'now'],
      ['node-rebooted', BOOT, 'over'],
    ],
    data: { node: 'node-1', isBack: false, message: undefined },
  });
});

test('a node that was not ready only to boot was not lost', () => {
  const facts = [
    nodeEvent('NodeNotReady', BOOT - 100, BOOT + 5),
    nodeEvent('Rebooted', BOOT),
    ENDED,
    nodeEvent('NodeReady', BOOT + 10),
    notReady(BOOT - 100),
  ];
  expect(judged(facts, READY).verdicts).toEqual([['node-rebooted', BOOT, 'over']]);
});

test('a node that was ready before its last loss is not back', () => {
  const facts = [
    nodeEvent('NodeNotReady', BOOT, NOW - 60),
    nodeEvent('NodeReady', BOOT + 100),
    notReady(NOW - 60),
  ];
  expect(judged(facts).data).toMatchObject({ isBack: false });
  expect(judged([...facts, nodeEvent('NodeReady', NOW - 10)]).data).toMatchObject({ isBack: true });
});

test('a pod that stops being ready after its node is back has another reason', () => {
  const facts = [nodeEvent('NodeNotReady', BOOT), nodeEvent('NodeReady', BOOT + 100)];
  expect(judged([...facts, notReady(BOOT)]).verdicts).toEqual([['node-lost', BOOT, 'now']]);
  expect(judged([...facts, notReady(NOW - 60)])).toMatchObject({
    outcome: 'unexplained',
    verdicts: [['node-lost', BOOT, 'over']],
  });
});

test('a kubelet that reports itself as not ready does report', () => {
  const message = 'container runtime network not ready';
  const facts = [condition('False', NOW - 60, message), notReady(NOW - 60)];
  expect(judged(facts).data).toEqual({ node: 'node-1', isBack: false, message });
});

test('an end is over once its container is ready, even if its pod is not for another reason', () => {
  const crash = exitFact({
    id: 'crash',
    at: at(BOOT),
    data: { exitCode: 1, restarts: 0, isInit: false, wasDeleted: false },
  });
  const facts = [crash, condition('Unknown', NOW - 60), notReady(NOW - 60)];
  expect(judged(facts).verdicts).toEqual([
    ['node-lost', NOW - 60, 'now'],
    ['crashed', BOOT, 'over'],
  ]);
  const waiting = podNow({ containers: [containerNow({ isRunning: false })] });
  expect(judged(facts, waiting).verdicts).toEqual([
    ['node-lost', NOW - 60, 'now'],
    ['crashed', BOOT, 'now'],
  ]);
});

/** The event about a pod whose node could not be read, and verdicts without a right to read nodes. */
const podEvent = (seconds: number) =>
  factAt('event', seconds, {
    reason: 'NodeNotReady',
    data: { controller: 'node-controller', type: 'Warning' },
  });
function judgedUnread(facts: readonly Fact[], pod: PodNow = LOST) {
  const evidence = evidenceOf(facts, { pods: [pod], now: at(NOW), unread: new Set(['nodes']) });
  return judge(evidence, at(0)).verdicts.map(({ code, since, isOver, doubts }) => ({
    text: [code, since.seconds, isOver ? 'over' : 'now'].join(' '),
    doubts: doubts.map((doubt) => doubt.code),
  }));
}

test('events of pods report the loss of a node without permission to read it, with the doubt', () => {
  expect(judgedUnread([podEvent(NOW - 60), notReady(NOW - 60)])).toEqual([
    { text: `node-lost ${NOW - 60} now`, doubts: ['node-unread'] },
  ]);
});

test('with permission to read the node, an event of its pod proves nothing', () => {
  expect(judged([podEvent(NOW - 60), notReady(NOW - 60)]).verdicts).toEqual([]);
});

test.each<[string, readonly Fact[], PodNow]>([
  ['its pod is ready', [], READY],
  ['its pod became not ready later', [notReady(NOW - 30)], LOST],
])('without permission to read the node, its loss is over if %s', (_, facts, pod) => {
  expect(judgedUnread([podEvent(NOW - 60), ...facts], pod)[0]?.text).toBe(`node-lost ${NOW - 60} over`);
});

test('an event of the node counts also without permission to read it', () => {
  const facts = [nodeEvent('NodeNotReady', BOOT, BOOT + 5), nodeEvent('Rebooted', BOOT), podEvent(BOOT + 1)];
  expect(judgedUnread(facts, READY)).toEqual([]);
});

test('a rollout shortly before a node was lost is not named: it did not lead to that', () => {
  const data = { revision: 2, images: [] };
  const facts = [factAt('rollout', NOW - 200, { data }), condition('Unknown', NOW - 60), notReady(NOW - 60)];
  const { verdicts, rollout } = judge(evidenceOf(facts, { pods: [LOST], now: at(NOW) }), at(0));
  expect(verdicts.map(({ code }) => code)).toEqual(['node-lost']);
  expect(rollout).toBeUndefined();
});

/** Pods that were each made when the one before was evicted; the last of them is there. */
function evictedAt(...seconds: readonly number[]) {
  const podAt = (index: number): PodNow => ({
    ...READY,
    subject: { ...POD, name: `web-${index}`, uid: `web-${index}` },
    createdAt: at(seconds[index - 1] ?? 1_000),
    isReady: index === seconds.length,
    phase: index === seconds.length ? 'Running' : 'Failed',
  });
  const pods = Array.from({ length: seconds.length + 1 }, (_, index) => podAt(index));
  const facts = seconds.map((second, index) =>
    factAt('evicted', second, {
      subject: podAt(index).subject,
      message: `using ${index}Gi`,
      data: { node: `n${index}` },
    }),
  );
  const [verdict, ...others] = judge(evidenceOf(facts, { pods, now: at(NOW) }), at(0)).verdicts;
  return [verdict?.isOver, verdict?.doubts.map(({ code, data }) => [code, data]), others.length];
}

test('an eviction whose replacement was evicted too may come again', () => {
  const data = { times: 3, seconds: 100, lastedSeconds: 240 };
  const doubts = [['may-be-evicted-again', data]];
  expect(evictedAt(NOW - 580, NOW - 340, NOW - 100)).toEqual([false, doubts, 0]);
});

test.each<[string, readonly number[]]>([
  ['once', [NOW - 100]],
  ['again long ago', [NOW - 1_000, NOW - 900, NOW - 800]],
])('a pod that was evicted %s is expected to stay', (_, seconds) => {
  expect(evictedAt(...seconds)).toEqual([true, [], 0]);
});

import { expect, test } from 'vitest';
import { eventFact, exitFact } from '../../../../../test/support/domain/facts.ts';
import { containerNow, evidenceOf, podNow } from '../../../../../test/support/why/evidence.ts';
import type { Fact, FactSubject } from '../../domain/facts/fact.ts';
import { combine } from './combine.ts';
import { judge } from './judge.ts';

const at = (seconds: number) => ({ seconds, nanos: 0 });
const ZERO = at(0);

const pressureOf = (node: string): Fact =>
  eventFact({
    id: `pressure ${node}`,
    at: at(8_900),
    reason: 'NodeHasDiskPressure',
    message: `Node ${node} status is now: NodeHasDiskPressure`,
    subject: { kind: 'Node', namespace: '', name: node, uid: node },
  });

/** Explains a workload with one pod, whose container ended, beside these facts. */
function sectionOf(name: string, facts: readonly Fact[]) {
  const subject: FactSubject = { kind: 'Pod', namespace: 'shop', name, uid: name };
  const end = exitFact({ id: `end ${name}`, at: at(9_000), subject: { ...subject, container: 'app' } });
  const pods = [podNow({ subject, containers: [containerNow({ restarts: 1 })] })];
  return judge(evidenceOf([...facts, end], { subject, pods }), ZERO);
}

test('a fact about a node that several workloads share is one fact', () => {
  const shared = pressureOf('node-a');
  const sections = [
    sectionOf('web-1', [shared]),
    sectionOf('web-2', [shared]),
    sectionOf('web-3', [pressureOf('node-b')]),
  ];
  expect(sections.map(({ also }) => also.length)).toEqual([1, 1, 1]);
  expect(combine(sections, ZERO).also.map(({ fact }) => fact.id)).toEqual([
    'pressure node-a',
    'pressure node-b',
  ]);
});

const eventOf = (reason: string, node: string, seconds: number) => ({
  ...pressureOf(node),
  id: `${reason} ${node}`,
  at: at(seconds),
  reason,
});

test('the end of a pressure is reported beside its begin, and not without it', () => {
  const alsoOf = (...facts: readonly Fact[]) => sectionOf('web-1', facts).also.map(({ fact }) => fact.reason);
  const end = eventOf('NodeHasNoDiskPressure', 'node-a', 9_100);
  expect(alsoOf(pressureOf('node-a'), end)).toEqual(['NodeHasNoDiskPressure', 'NodeHasDiskPressure']);
  // A node reports this as it starts, too.
  expect(alsoOf(end)).toEqual([]);
  expect(alsoOf(pressureOf('node-a'), eventOf('NodeHasNoDiskPressure', 'node-a', 8_000))).toEqual([
    'NodeHasDiskPressure',
  ]);
  expect(alsoOf(pressureOf('node-b'), end)).toEqual(['NodeHasDiskPressure']);
});

test('healthy workloads of one name have what differs in their names', () => {
  const healthy = (kind: string, namespace: string, name = 'web') => {
    const subject = { kind, namespace, name, uid: `${kind} ${namespace} ${name}` };
    const pod = podNow({ isReady: true, containers: [containerNow({ isReady: true })] });
    return judge(evidenceOf([], { subject, pods: [pod] }), ZERO);
  };
  const namesOf = (...sections: readonly ReturnType<typeof healthy>[]) =>
    combine(sections, ZERO).healthy.names;
  expect(namesOf(healthy('Deployment', 'shop'), healthy('Deployment', 'other'))).toEqual([
    'shop/web',
    'other/web',
  ]);
  expect(namesOf(healthy('Deployment', 'shop'), healthy('StatefulSet', 'shop'))).toEqual([
    'Deployment web',
    'StatefulSet web',
  ]);
  expect(namesOf(healthy('Deployment', 'shop'), healthy('Deployment', 'shop', 'api'))).toEqual([
    'web',
    'api',
  ]);
});

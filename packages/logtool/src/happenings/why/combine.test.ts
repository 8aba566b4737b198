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

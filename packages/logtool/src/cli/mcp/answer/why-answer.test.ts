import { expect, test } from 'vitest';
import type { Explanation } from '../../../domain/verdicts/explanation.ts';
import type { Verdict } from '../../../domain/verdicts/verdict.ts';
import { verdictText } from '../../../messages/verdicts.ts';
import { fits } from './compose.ts';
import { whyAnswer } from './why-answer.ts';

const at = (seconds: number) => ({ seconds, nanos: 0 });
const ANSWER = `HTTP probe failed with statuscode: 503, ${'and the body is long, '.repeat(6)}`;

/** A workload whose container fails a probe, with two doubts. */
function verdictOf(name: string): Verdict {
  return {
    code: 'probe-failing',
    data: { container: `app-of-${name}`, probe: 'readiness', answer: ANSWER },
    pods: [{ kind: 'Pod', namespace: 'shop', name: `${name}-1`, uid: name }],
    since: at(5),
    until: at(9),
    isOver: false,
    restarts: 0,
    proof: [],
    doubts: [
      { code: 'earlier-ends-unknown', data: { restarts: 3 } },
      { code: 'begin-unknown', data: {} },
    ],
  };
}

function sectionOf(verdicts: readonly Verdict[], name: string): Explanation {
  return {
    outcome: 'explained',
    from: at(0),
    knownFrom: at(0),
    subject: { kind: 'Deployment', namespace: 'shop', name, uid: name },
    pods: { total: 3, ready: 0 },
    since: at(5),
    rollout: undefined,
    verdicts,
    unexplained: [],
    also: [],
    hasReadLines: false,
    logs: undefined,
    workloads: [],
    healthy: { count: 0, names: [] },
    doubts: [],
  };
}

function answerFor(names: readonly string[], maxBytes: number) {
  const workloads = names.map((name) => sectionOf([verdictOf(name)], name));
  const verdicts = workloads.flatMap((each) => each.verdicts);
  const explanation = { ...sectionOf(verdicts, ''), subject: undefined, workloads };
  const answer = whyAnswer(explanation, { name: 'pods/*', notes: [], redacts: true, maxBytes });
  expect(fits(answer, maxBytes)).toBe(true);
  return answer;
}

const SIZES = Array.from({ length: 32 }, (_, index) => 1_024 + index * 128);

test('of two workloads, an answer of any size has the cause of each', () => {
  for (const size of SIZES) {
    const { text, structured } = answerFor(['web', 'api'], size);
    for (const name of ['web', 'api']) {
      expect(text).toContain(`${name} (Deployment, shop): `);
      expect(text).toMatch(new RegExp(`^cause: .*app-of-${name}`, 'm'));
      expect(JSON.stringify(structured)).toContain(`Deployment shop/${name}`);
    }
  }
});

test('each text that is cut ends with a mark, and the summary says so', () => {
  const full = answerFor(['web', 'api'], 100_000);
  expect([full.text, full.structured.truncated]).toEqual([expect.not.stringContaining('…'), false]);
  for (const size of SIZES) {
    const { text, structured } = answerFor(['web', 'api'], size);
    const causes = text.split('\n').filter((line) => line.startsWith('cause: '));
    expect(causes).toHaveLength(2);
    const whole = ['web', 'api'].map((name) => `cause: ${verdictText(verdictOf(name))}`.trim());
    const cut = causes.filter((line, index) => line.trim() !== whole[index]);
    expect(cut.filter((line) => !line.endsWith('…'))).toEqual([]);
    expect(text.split('\n')[0]?.includes('the ends of texts with …')).toBe(cut.length > 0);
    expect(structured.truncated).toBe(text.split('\n')[0]?.includes('a larger max_bytes shows'));
  }
});

test('causes without any room are named, with their workloads', () => {
  const names = Array.from({ length: 12 }, (_, index) => `shop-service-${index}`);
  const { text, structured } = answerFor(names, 1_024);
  const shown = names.filter((name) => new RegExp(`^cause: .*app-of-${name}\\b`, 'm').test(text));
  const left = names.length - shown.length;
  expect(shown.length).toBeGreaterThan(0);
  expect(structured.summary).toContain(
    `${left} causes (probe-failing of Deployment shop/${names[shown.length]}, `,
  );
  expect(structured.summary).toContain(`, ${left - 3} more)`);
  expect(structured.causeCount).toBe(12);
});

test('a small answer has the first cause of each workload before the second of any, and no stubs', () => {
  const names = Array.from({ length: 8 }, (_, index) => `shop-${index}`);
  const second = (name: string): Verdict => ({
    ...(verdictOf(name) as Extract<Verdict, { code: 'probe-failing' }>),
    data: { container: name, probe: 'startup', answer: ANSWER },
  });
  const workloads = names.map((name) => sectionOf([verdictOf(name), second(name)], name));
  const verdicts = workloads.flatMap((each) => each.verdicts);
  const explanation = { ...sectionOf(verdicts, ''), subject: undefined, workloads };
  const causesAt = (maxBytes: number) => {
    const { text } = whyAnswer(explanation, { name: 'pods/*', notes: [], redacts: true, maxBytes });
    return text.split('\n').filter((line) => line.startsWith('cause: '));
  };
  const cut = SIZES.map(causesAt).filter(({ length }) => length <= names.length);
  expect(Math.max(...cut.map(({ length }) => length))).toBeGreaterThan(1);
  for (const causes of cut)
    for (const [index, cause] of causes.entries()) {
      expect(cause).toContain(
        `app-of-${names[index]} runs, but is not ready: its readiness probe fails: HTTP probe`,
      );
    }
});

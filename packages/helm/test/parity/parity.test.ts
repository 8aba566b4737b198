import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HELM_VERSIONS } from '../../../../test/support/oracles/helm.ts';
import { CASES } from './families.ts';
import { type Answer, askHelm, ChartFolder } from './with-helm.ts';
import { askOurs } from './with-ours.ts';

let folder: ChartFolder;
beforeAll(async () => {
  folder = await ChartFolder.create();
});
afterAll(() => folder.remove());

describe.each(HELM_VERSIONS)('templates give in our engine what they give in helm %s', (version) => {
  const cases = new Map([...CASES].filter(([, { only }]) => only === undefined || only.includes(version)));
  let theirs: ReadonlyMap<string, Answer>;
  let ours: ReadonlyMap<string, Answer>;
  beforeAll(async () => {
    ours = await askOurs(version, cases);
    const failing = [...ours].filter(([, answer]) => 'error' in answer).map(([name]) => name);
    theirs = await askHelm(version, folder, cases, new Set(failing));
  });

  // A family may be for one of the helms only.
  const families = new Set([...cases.values()].map(({ family }) => family));
  it.each([...families])('%s', (family) => {
    const names = [...cases].filter(([, one]) => one.family === family).map(([name]) => name);
    const shown = (answers: ReadonlyMap<string, Answer>) => names.map((name) => show(name, answers));
    expect(shown(ours)).toEqual(shown(theirs));
  });
});

function show(name: string, answers: ReadonlyMap<string, Answer>): unknown {
  const { template, errorStart } = CASES.get(name)!;
  const answer = answers.get(name);
  if (answer === undefined) return { template, missing: name };
  if ('text' in answer) return { template, text: answer.text };
  return { template, error: errorStart === undefined ? answer.error : answer.error.slice(0, errorStart) };
}

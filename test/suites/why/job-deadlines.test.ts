import { expect, test } from 'vitest';
import { type WhyJson, whyOf } from './why-world.ts';

/** Explains a Job whose program ends with 2 until the deadline of the Job. */
async function explain(restartPolicy: 'Never' | 'OnFailure') {
  const scenario = {
    seed: 1,
    namespace: 'shop',
    namespaces: ['shop'],
    backfill: '30m',
    nodes: [{ name: 'node-1' }],
    workloads: [
      {
        kind: 'Job',
        name: 'report',
        at: '-20m',
        activeDeadlineSeconds: 600,
        restartPolicy,
        backoffLimit: 20,
        containers: [{ name: 'app', lines: ['panic: no database'], exit: { after: '20s', code: 2 } }],
      },
    ],
  };
  const { stdout } = await whyOf(scenario, 'jobs/report', '-n', 'shop', '-o', 'json');
  return JSON.parse(stdout) as WhyJson & { readonly since: string };
}

test.each([
  ['Never', 'crashed', 6],
  ['OnFailure', 'restarted-again', 1],
] as const)('what made a Job miss its deadline precedes the deadline (%s)', async (policy, cause, pods) => {
  const { verdicts, since } = await explain(policy);
  expect(verdicts.map(({ code, isOver }) => [code, isOver])).toEqual([
    [cause, false],
    ['deadline-exceeded', false],
  ]);
  // The Job creates none after its deadline.
  expect(verdicts[0]?.pods).toHaveLength(pods);
  expect(since).toMatch(/^2026-11-22T11:40:/);
});

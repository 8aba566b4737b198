import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { openWhy, type WhyJson } from './why-world.ts';

const SCENARIOS = resolve(import.meta.dirname, '../../../scenarios');
const KINDS = ['deployments.apps', 'statefulsets.apps', 'daemonsets.apps', 'jobs.batch'] as const;

/** What `why` says of each workload of a scenario: the outcome, and its verdicts with their first errors. */
async function answersOf(scenario: string): Promise<Readonly<Record<string, string>>> {
  const world = await openWhy(join(SCENARIOS, scenario));
  try {
    const answers: Record<string, string> = {};
    for (const kind of KINDS)
      for (const { metadata } of world.cluster.store.list(kind, 'shop')) {
        const { stdout } = await world.why(
          `${kind.split('.')[0]}/${metadata.name}`,
          '-n',
          'shop',
          '-o',
          'json',
        );
        const { outcome, verdicts } = JSON.parse(stdout) as WhyJson;
        const codes = verdicts.map(({ code, lines }) =>
          [code, lines?.records[lines.firstError ?? -1]?.message].filter(Boolean).join(' > '),
        );
        answers[metadata.name] = [outcome, ...codes].join('; ');
      }
    return answers;
  } finally {
    await world.close();
  }
}

/**
 * The causes of these lie in what programs write, and the cluster's facts show no trouble: `why` must not name one. They
 * are what the page's search is for.
 */
test.each(readdirSync(join(SCENARIOS, 'incidents')))(
  '%s is healthy by the facts of the cluster',
  {
    timeout: 120_000,
  },
  async (file) => {
    const answers = Object.values(await answersOf(`incidents/${file}`));
    expect(answers.length).toBeGreaterThan(0);
    expect(new Set(answers)).toEqual(new Set(['healthy']));
  },
);

test("the shop's incident is explained: its error first, and what it is not", {
  timeout: 120_000,
}, async () => {
  const answers = await answersOf('shop.yaml');
  expect(answers.payment).toBe(
    'explained; crashed > ERROR could not open a connection in 20s: FATAL: sorry, too many clients already',
  );
  expect(answers.checkout).toContain('explained; oom-container > ');
  const others = Object.entries(answers).filter(([name]) => name !== 'payment' && name !== 'checkout');
  // A Job that began at this very second has no pod that is ready yet.
  const settled = others.filter(([name]) => name !== 'settlement-report-29922480');
  expect(settled.filter(([, text]) => text !== 'healthy')).toEqual([]);
});

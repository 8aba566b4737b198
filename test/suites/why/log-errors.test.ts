import { expect, test } from 'vitest';
import { openWhy, type WhyJson } from './why-world.ts';

const info = { format: 'logfmt', perSecond: 0.3, messages: [{ text: 'request {int:1-900} done' }] };

/** A worker logs something once and restarts a minute later; from then on another workload fails. */
const SCENARIO = {
  seed: 21,
  backfill: '1h',
  startDelays: 'none',
  namespace: 'shop',
  namespaces: ['shop'],
  nodes: [{ name: 'node-1' }],
  workloads: [
    { kind: 'StatefulSet', name: 'worker', containers: [{ name: 'app', logs: [info] }] },
    {
      kind: 'Deployment',
      name: 'api',
      containers: [
        {
          name: 'app',
          logs: [
            info,
            {
              format: 'logfmt',
              perSecond: 0.5,
              from: '-14m',
              messages: [{ level: 'error', text: 'no answer of worker' }],
            },
          ],
        },
      ],
    },
  ],
  timeline: [
    {
      at: '-16m',
      action: 'write',
      pod: 'worker-0',
      text: 'level=info msg="queue of the worker is switched off"',
    },
    { at: '-15m', action: 'crash', pod: 'worker-0', code: 0 },
  ],
};

test('what a run wrote before a restart is new before the errors of another workload', {
  timeout: 60_000,
}, async () => {
  const world = await openWhy(SCENARIO);
  try {
    const { stdout } = await world.why('pods/*', '-o', 'json');
    const { verdicts, workloads } = JSON.parse(stdout) as WhyJson;
    expect(workloads.map(({ subject }) => subject.name)).toEqual(['api', 'worker']);
    const [first, ...others] = verdicts;
    expect(others.map(({ code, isOver }) => [code, isOver])).toEqual([['ended-without-failure', true]]);
    expect(first?.log?.firstError.message).toContain('no answer of worker');
    expect(first?.log?.newBefore[0]?.message).toContain('queue of the worker is switched off');
    expect(first?.log?.newBefore[0]?.pod).toMatch(/^worker-/);
  } finally {
    await world.close();
  }
});

test('one workload without its cause leads to the whole namespace', { timeout: 60_000 }, async () => {
  const world = await openWhy(SCENARIO);
  try {
    const { stdout } = await world.why('deployments/api', '-o', 'json');
    const { verdicts, next } = JSON.parse(stdout) as WhyJson;
    expect(verdicts[0]?.doubts.map(({ code }) => code)).toEqual(['nothing-new-before']);
    expect(next).toBe("logtool why 'shop:pods/*' --since 2026-11-22T11:00:00Z");
  } finally {
    await world.close();
  }
});

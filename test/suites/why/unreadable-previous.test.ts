import { type Clock, FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, test } from 'vitest';
import { NOON, openWhy, type WhyJson } from './why-world.ts';

/** A container that ended with 1, and whose current run logs errors since two minutes. */
function scenario(fault: Readonly<Record<string, unknown>>, errors: object = { perSecond: 1, from: '-2m' }) {
  return {
    seed: 1,
    namespace: 'shop',
    namespaces: ['shop'],
    backfill: '20m',
    nodes: [{ name: 'node-1' }],
    workloads: [
      {
        kind: 'Deployment',
        name: 'web',
        containers: [
          {
            name: 'app',
            logs: [
              { format: 'json', perSecond: 0.02, levels: { info: 1 } },
              {
                format: 'json',
                ...errors,
                messages: [{ level: 'error', text: 'db refused' }],
              },
            ],
          },
        ],
      },
    ],
    timeline: [{ at: '-9m45s', action: 'crash', workload: 'deployments/web', code: 1 }],
    faults: [fault],
  };
}

/** The limit of a previous log; the longest wait before a repetition that begins within it is shorter than two. */
const LIMIT_MS = 1_000;

/** Returns a clock at noon on which waits before repetitions end at once, and limits never come. */
function hastyClock(): Clock {
  let steadyMs = 0;
  return {
    now: () => NOON,
    steady: () => steadyMs,
    after(delayMs, callback) {
      if (delayMs === LIMIT_MS || delayMs >= 2 * LIMIT_MS) return () => undefined;
      const timer = setImmediate(() => {
        steadyMs += delayMs;
        callback();
      });
      return () => clearImmediate(timer);
    },
  };
}

test.each([
  [500, 'the API server or the node failed'],
  [404, 'the cluster did not find its pod, its container or its log'],
])(
  'a previous log that answers %i is named as it failed, and the log of the current run is read',
  async (status, why) => {
    const world = await openWhy(
      scenario({ kind: 'status', match: 'log\\?.*previous=true', status, text: 'the disk is broken' }),
      hastyClock(),
    );
    const { stdout } = await world.why('deployments/web', '-n', 'shop');
    const json = await world.why('deployments/web', '-n', 'shop', '-o', 'json');
    await world.close();
    expect(stdout).toContain(
      `logtool could not read the last lines of container app (${why}: the disk is broken)`,
    );
    expect(stdout).toContain('logtool could not read the log of its previous run (the disk is broken)');
    expect(stdout).not.toContain('in time');
    expect(stdout).not.toContain('too large');
    const { verdicts } = JSON.parse(json.stdout) as WhyJson;
    expect(verdicts.map(({ code, isOver }) => [code, isOver])).toEqual([
      ['log-errors', false],
      ['crashed', true],
    ]);
  },
);

test('errors since the first line after an unreadable log have no beginning, and are named', async () => {
  // So few lines do not show by their density that the log begins late.
  const fault = { kind: 'status', match: 'log\\?.*previous=true', status: 404, text: 'gone' };
  const world = await openWhy(scenario(fault, { perSecond: 0.05, from: '-15m' }), hastyClock());
  const { stdout } = await world.why('deployments/web', '-n', 'shop');
  await world.close();
  expect(stdout).not.toContain('errors begin');
  expect(stdout).toMatch(
    /logtool read \d+ errors in the log of \S+ app from .*, but not where they begin: they may be older/,
  );
});

test('a previous log that never answers leaves time for the rest, and the answer says so', async () => {
  const clock = new FakeClock(NOON);
  // The last lines of the run before come; the whole of it does not.
  const match = 'log\\?(?=.*previous=true).*sinceTime=';
  const world = await openWhy(scenario({ kind: 'delay', match, delayMs: 3_600_000 }), clock);
  const answering = world.why('deployments/web', '-n', 'shop');
  await expect
    .poll(() => world.cluster.requests.filter((request) => new RegExp(match).test(request)).length)
    .toBe(1);
  // A third of the time that all logs together have.
  await clock.advance(LIMIT_MS);
  const { stdout } = await answering;
  await world.close();
  expect(stdout).toContain('errors begin in the log of container app: ');
  expect(stdout).toContain('container app ended with exit code 1');
  expect(stdout).toContain(
    'logtool could not read the log of its previous run (the node sent no line of it within 1 s)',
  );
});

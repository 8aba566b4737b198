import { afterEach, expect, test, vi } from 'vitest';
import { nameOf, planOf } from '../../test/stream/collect.ts';
import { LiveView } from '../../test/stream/live-view.ts';
import { LiveWorkload } from '../../test/stream/live-workload.ts';
import { Chance, randomFaults } from '../../test/stream/random-workload.ts';
import { FakeClock } from '../domain/clock.ts';
import { compareRecords } from '../domain/record.ts';

/** Set LOGTOOL_SEED to the number in a failure's message to play it again. */
const SEED = Number(process.env.LOGTOOL_SEED ?? Math.floor(Math.random() * 1e9));

afterEach(() => {
  vi.restoreAllMocks();
});

/** What the view said of the container of the first record that is wrong, and what was asked for it. */
function explain(view: LiveView, work: LiveWorkload, wrong: readonly string[]): string {
  const pod = wrong[0]?.split(' ')[1]?.split('/')[0];
  if (pod === undefined) return '';
  const said = view.frames.flatMap((frame) => {
    if (!('target' in frame) || frame.target.pod !== pod) return [];
    return [frame.type === 'gap' ? `gap: ${frame.why}` : `${frame.state}: ${frame.detail}`];
  });
  const asked = work.cluster.queries.filter((query) => query.pod === pod).slice(-40);
  return `\n${said.join('\n')}\n${asked.map((query) => JSON.stringify(query)).join('\n')}\n`;
}

function check(view: LiveView, work: LiveWorkload, seed: number, mayLose: boolean): void {
  const seen = new Map<string, number>();
  for (const record of view.records) seen.set(nameOf(record), (seen.get(nameOf(record)) ?? 0) + 1);
  const named = new Set<string>();
  for (const frame of view.frames) {
    const why = frame.type === 'gap' ? frame.why : undefined;
    const failed = frame.type === 'source' && frame.state === 'failed' ? frame.detail : undefined;
    const trouble = why ?? failed;
    if (trouble !== undefined && 'target' in frame) {
      named.add(frame.target.id);
      if (!mayLose) expect.fail(`LOGTOOL_SEED=${seed}: ${frame.target.id} ${trouble}`);
    }
  }
  const missing: string[] = [];
  const begun = new Set<string>();
  for (const { name, id, runId, rotated } of work.written) {
    const count = seen.get(name) ?? 0;
    if (count > 0) {
      seen.set(name, count - 1);
      begun.add(runId);
    } else if (rotated && !begun.has(runId)) {
      // Rotated away before anything of the run was read: the cluster never showed it.
    } else if (!named.has(id)) missing.push(name);
  }
  const doubled = [...seen].filter(([, count]) => count > 0).map(([name]) => name);
  expect(
    { missing, doubled },
    `LOGTOOL_SEED=${seed}${explain(view, work, [...missing, ...doubled])}`,
  ).toEqual({
    missing: [],
    doubled: [],
  });
  const inTime = view.records.filter(({ late }) => !late);
  for (let index = 1; index < inTime.length; index++) {
    expect(compareRecords(inTime[index - 1]!, inTime[index]!), `LOGTOOL_SEED=${seed}`).toBeLessThanOrEqual(0);
  }
}

test('following gives every record exactly once through faults, restarts, joins and rotations', async () => {
  let faults = 0;
  for (let round = 0; faults < 400; round++) {
    const seed = SEED + round;
    const jitter = new Chance(seed + 0x5eed);
    vi.spyOn(Math, 'random').mockImplementation(jitter.next);
    const chance = new Chance(seed);
    const clock = new FakeClock();
    const work = new LiveWorkload(chance, clock, chance.int(1, 8));
    const mayLose = seed % 2 === 1;
    for (let line = 0; line < 30; line++) work.write();
    randomFaults(chance, work.cluster, 0.4);
    const view = new LiveView(work.cluster, clock, planOf({ selection: { kind: 'all' }, follow: true }));
    // The containers that exist are resolved before anything changes.
    await view.pass(1);
    for (let step = 0; step < 150; step++) {
      work.write();
      if (chance.isTrue(0.03)) work.restart(mayLose ? 0 : 30_000);
      if (chance.isTrue(0.02)) work.join();
      if (mayLose && chance.isTrue(0.02)) work.leave();
      if (mayLose && chance.isTrue(0.02)) work.rotate();
      await view.pass(chance.of([1, 20, 120, 900]));
    }
    await view.until(() => view.records.length >= work.written.length, 180_000);
    await view.pass(5_000);
    await view.close();
    faults += work.cluster.faultsHit;
    check(view, work, seed, mayLose);
  }
});

import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { nameOf, planOf } from '../../../../../test/support/engine/collect.ts';
import { LiveView } from '../../../../../test/support/engine/live-view.ts';
import { LiveWorkload } from '../../../../../test/support/engine/live-workload.ts';
import { Page } from '../../../../../test/support/engine/page.ts';
import { Chance, randomFaults } from '../../../../../test/support/engine/random-workload.ts';
import { type ContainerTarget, currentRunId } from '../../domain/container.ts';
import { isBeforeAll } from '../../domain/coverage/lost.ts';
import type { Frame } from '../../domain/frame.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { ResumePoint } from '../plan/engine.ts';

/** Set LOGTOOL_SEED to the number in a failure's message to replay it. */
const SEED = Number(process.env.LOGTOOL_SEED ?? Math.floor(Math.random() * 1e9));

afterEach(() => {
  vi.restoreAllMocks();
});

/**
 * Notes the records that were rotated away, or removed by two restarts, before any line of their run was read: the
 * cluster never showed them.
 */
function noteUnseen(held: readonly LogRecord[], work: LiveWorkload, unseen: Set<object>): void {
  const begun = new Set(held.map(({ run }) => run.key.containerId));
  for (const written of work.written) {
    const { runId, rotated } = written;
    if (!begun.has(runId) && (rotated || work.isRemoved(runId))) unseen.add(written);
  }
}

/**
 * Returns the containers with a reported gap. That the node no longer has earlier runs is none: it excuses no missing
 * line of the runs that it has.
 */
function namedIn(frames: readonly Frame[]): readonly string[] {
  return frames.flatMap((frame) =>
    frame.type === 'gap' && !isBeforeAll(frame.cause) ? [frame.target.id] : [],
  );
}

/** Compares the page's records with the written ones. `named`: containers with a reported gap. */
function check(
  page: Page,
  work: LiveWorkload,
  named: ReadonlySet<string>,
  unseen: ReadonlySet<object>,
  seed: number,
): void {
  const seen = new Map<string, number>();
  for (const record of page.held) seen.set(nameOf(record), (seen.get(nameOf(record)) ?? 0) + 1);
  const missing: string[] = [];
  for (const written of work.written) {
    const { name, id } = written;
    const count = seen.get(name) ?? 0;
    if (count > 0) seen.set(name, count - 1);
    else if (!named.has(id) && !unseen.has(written)) missing.push(name);
  }
  const doubled = [...seen].filter(([, count]) => count > 0).map(([name]) => name);
  expect({ missing, doubled }, `LOGTOOL_SEED=${seed}`).toEqual({ missing: [], doubled: [] });
}

/**
 * Whether the newest line of a container was written in the second in which its present run began, to which a pod's status
 * is exact: it may be of the run before, whose rest is read then.
 */
function isOfStartSecond({ state }: ContainerTarget, point: ResumePoint | undefined): boolean {
  const { at } = point ?? {};
  const startedAt = state.kind === 'running' ? state.startedAt : undefined;
  return at !== undefined && startedAt !== undefined && at.seconds <= startedAt.seconds;
}

test('a view that is cut off at random and resumed from what was held has every record exactly once', async () => {
  let cuts = 0;
  for (let round = 0; cuts < 150; round++) {
    const seed = SEED + round;
    const jitter = new Chance(seed + 0x5eed);
    vi.spyOn(Math, 'random').mockImplementation(jitter.next);
    const chance = new Chance(seed);
    const clock = new FakeClock();
    const startedAt = timestampFromMs(clock.now());
    const work = new LiveWorkload(chance, clock, chance.int(1, 6));
    const mayLose = seed % 2 === 1;
    for (let line = 0; line < 20; line++) work.write();
    randomFaults(chance, work.cluster, chance.of([0, 0.3]));
    const page = new Page();
    const named = new Set<string>();
    const mayBeNamed = new Set<string>();
    let unsure = new Map<string, string>();
    const unseen = new Set<object>();
    const window = { selection: { kind: 'all' }, follow: true } as const;
    let view = new LiveView(work.cluster, clock, planOf(window));
    await view.pass(1);

    /** Breaks the connection; the last frames may not have arrived. */
    const cut = async () => {
      await view.close();
      const lost = chance.of([0, 0, 1, 5, 40]);
      page.take(view.records.slice(0, Math.max(0, view.records.length - lost)));
      for (const id of namedIn(view.frames)) named.add(id);
    };
    /** What restarts before it is known that nothing of its previous run was unread may lack something. */
    const noteUnsure = () => {
      for (const target of work.cluster.targets())
        if ((unsure.get(target.id) ?? currentRunId(target)) !== currentRunId(target))
          mayBeNamed.add(target.id);
    };

    for (let step = 0; step < 150; step++) {
      work.write();
      if (chance.isTrue(0.02)) work.restart(mayLose ? 0 : 40_000);
      if (chance.isTrue(0.02)) work.join();
      if (mayLose && chance.isTrue(0.02)) work.rotate();
      noteUnsure();
      noteUnseen([...page.held, ...view.records], work, unseen);
      await view.pass(chance.of([1, 20, 120, 900]));
      if (!chance.isTrue(0.05)) continue;
      await cut();
      cuts++;
      const present = new Map(work.cluster.targets().map((target) => [target.id, currentRunId(target)]));
      for (let away = chance.int(0, 10); away > 0; away--) {
        work.write();
        if (chance.isTrue(0.1)) work.restart(mayLose ? 0 : 40_000);
        if (mayLose && chance.isTrue(0.05)) work.rotate();
        await clock.advance(chance.of([1, 100, 2_500]));
      }
      noteUnseen(page.held, work, unseen);
      const seesNewest = chance.isTrue(0.3);
      const points = page.points((id, runId) => (seesNewest ? (present.get(id) ?? runId) : runId));
      const since = chance.of([undefined, startedAt]);
      page.beginResume();
      unsure = new Map(
        work.cluster
          .targets()
          .filter((target) => isOfStartSecond(target, points.get(target.id)))
          .map((target) => [target.id, currentRunId(target)]),
      );
      view = new LiveView(work.cluster, clock, planOf(window, { resume: { since, points } }));
      await view.pass(1);
    }
    await view.pass(60_000, 500);
    // The next line of a rotated log reveals that lines are missing.
    work.writeToAll();
    await view.pass(120_000, 500);
    await view.close();
    page.take(view.records);
    for (const id of namedIn(view.frames)) named.add(id);
    noteUnseen(page.held, work, unseen);
    if (!mayLose)
      expect(
        [...named].filter((id) => !mayBeNamed.has(id)),
        `LOGTOOL_SEED=${seed}`,
      ).toEqual([]);
    check(page, work, named, unseen, seed);
  }
});

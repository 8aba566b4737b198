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

const WINDOW = { selection: { kind: 'all' }, follow: true } as const;
/** Without losses, a container runs this long before it restarts, ms. */
const QUIET_MS = 40_000;

/** A page whose connection is cut at random, and resumed from what it holds. */
class ResumedPage {
  cuts = 0;
  readonly #chance: Chance;
  readonly #clock = new FakeClock();
  readonly #startedAt = timestampFromMs(this.#clock.now());
  readonly #work: LiveWorkload;
  readonly #mayLose: boolean;
  readonly #page = new Page();
  /** Containers with a reported gap. */
  readonly #named = new Set<string>();
  readonly #mayBeNamed = new Set<string>();
  /** Runs of which it is not known that nothing of the run before was unread, by container. */
  #unsure: ReadonlyMap<string, string> = new Map();
  readonly #unseen = new Set<object>();
  #view: LiveView;

  constructor(seed: number) {
    this.#chance = new Chance(seed);
    this.#work = new LiveWorkload(this.#chance, this.#clock, this.#chance.int(1, 6));
    this.#mayLose = seed % 2 === 1;
    for (let line = 0; line < 20; line++) this.#work.write();
    randomFaults(this.#chance, this.#work.cluster, this.#chance.of([0, 0.3]));
    this.#view = new LiveView(this.#work.cluster, this.#clock, planOf(WINDOW));
  }

  async run(): Promise<void> {
    await this.#view.pass(1);
    for (let step = 0; step < 150; step++) {
      await this.#live();
      if (!this.#chance.isTrue(0.05)) continue;
      await this.#cut();
      this.cuts++;
      await this.#resume(await this.#away());
    }
    await this.#end();
  }

  async #live(): Promise<void> {
    const chance = this.#chance;
    this.#work.write();
    if (chance.isTrue(0.02)) this.#restart();
    if (chance.isTrue(0.02)) this.#work.join();
    if (this.#mayLose && chance.isTrue(0.02)) this.#work.rotate();
    this.#noteUnsure();
    noteUnseen([...this.#page.held, ...this.#view.records], this.#work, this.#unseen);
    await this.#view.pass(chance.of([1, 20, 120, 900]));
  }

  #restart(): void {
    this.#work.restart(this.#mayLose ? 0 : QUIET_MS);
  }

  /** What restarts before it is known that nothing of its previous run was unread may lack something. */
  #noteUnsure(): void {
    for (const target of this.#work.cluster.targets())
      if ((this.#unsure.get(target.id) ?? currentRunId(target)) !== currentRunId(target))
        this.#mayBeNamed.add(target.id);
  }

  /** Breaks the connection; the last frames may not have arrived. */
  async #cut(): Promise<void> {
    await this.#view.close();
    const { records, frames } = this.#view;
    const lost = this.#chance.of([0, 0, 1, 5, 40]);
    this.#page.take(records.slice(0, Math.max(0, records.length - lost)));
    for (const id of namedIn(frames)) this.#named.add(id);
  }

  /** Goes on without the page; returns the run of each container at the cut. */
  async #away(): Promise<ReadonlyMap<string, string>> {
    const chance = this.#chance;
    const present = new Map(this.#work.cluster.targets().map((target) => [target.id, currentRunId(target)]));
    for (let away = chance.int(0, 10); away > 0; away--) {
      this.#work.write();
      if (chance.isTrue(0.1)) this.#restart();
      if (this.#mayLose && chance.isTrue(0.05)) this.#work.rotate();
      await this.#clock.advance(chance.of([1, 100, 2_500]));
    }
    noteUnseen(this.#page.held, this.#work, this.#unseen);
    return present;
  }

  async #resume(present: ReadonlyMap<string, string>): Promise<void> {
    const { cluster } = this.#work;
    const seesNewest = this.#chance.isTrue(0.3);
    const points = this.#page.points((id, runId) => (seesNewest ? (present.get(id) ?? runId) : runId));
    const since = this.#chance.of([undefined, this.#startedAt]);
    this.#page.beginResume();
    const unsure = cluster.targets().filter((target) => isOfStartSecond(target, points.get(target.id)));
    this.#unsure = new Map(unsure.map((target) => [target.id, currentRunId(target)]));
    this.#view = new LiveView(cluster, this.#clock, planOf(WINDOW, { resume: { since, points } }));
    await this.#view.pass(1);
  }

  async #end(): Promise<void> {
    await this.#view.pass(60_000, 500);
    // The next line of a rotated log reveals that lines are missing.
    this.#work.writeToAll();
    await this.#view.pass(120_000, 500);
    await this.#view.close();
    this.#page.take(this.#view.records);
    for (const id of namedIn(this.#view.frames)) this.#named.add(id);
    noteUnseen(this.#page.held, this.#work, this.#unseen);
  }

  check(seed: number): void {
    const unexpected = [...this.#named].filter((id) => !this.#mayBeNamed.has(id));
    if (!this.#mayLose) expect(unexpected, `LOGTOOL_SEED=${seed}`).toEqual([]);
    check(this.#page, this.#work, this.#named, this.#unseen, seed);
  }
}

test('a view that is cut off at random and resumed from what was held has every record exactly once', async () => {
  let cuts = 0;
  for (let round = 0; cuts < 150; round++) {
    const seed = SEED + round;
    const jitter = new Chance(seed + 0x5eed);
    vi.spyOn(Math, 'random').mockImplementation(jitter.next);
    const page = new ResumedPage(seed);
    await page.run();
    page.check(seed);
    cuts += page.cuts;
  }
});

import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { FOLLOWED, type Follower, followedBy } from '../cluster/scenario.ts';
import { LINE } from '../cluster/write-logs.ts';
import { FollowerRun } from '../measure/follower.ts';
import type { ProcessUse } from '../measure/process-file.ts';
import { followRow } from '../report/follow-row.ts';
import type { Row } from '../report/row.ts';
import { type Bench, type Case, Skipped } from './case.ts';
import { type FollowCommand, followCommands } from './follow-commands.ts';

const LINES_PER_SECOND = 20_000;
/** Maximum time to wait for the last lines. */
const PATIENCE_MS = 30_000;

/** Measures memory over time and CPU time while following; at 20,000 lines a second in the simulated cluster. */
export const FOLLOW_RATE_CASE: Case = {
  name: 'follow rate',
  async run(bench) {
    if (!existsSync('/proc/self/status')) throw new Skipped('memory over time is read from /proc');
    const rows: Row[] = [];
    for (const command of followCommands(bench, 'talker')) rows.push(await follow(bench, command));
    return rows;
  },
};

async function follow(bench: Bench, { who, command }: FollowCommand): Promise<Row> {
  const { cluster, directory, followSeconds } = bench;
  const run = await FollowerRun.start(command, cluster.env, directory);
  try {
    // The cost of starting counts for the peak, but not for the other figures.
    await sleep(2000);
    const begin = await run.use();
    const state = { isDone: false };
    const written = write(bench, who).finally(() => {
      state.isDone = true;
    });
    const uses: ProcessUse[] = [];
    while (!state.isDone) {
      await Promise.race([written, sleep(1000)]);
      uses.push(await run.use());
      await run.count();
    }
    const expected = await written;
    const lines = expected === undefined ? await run.count() : await untilCounted(run, expected);
    return followRow({ who, begin, uses, end: await run.use(), lines, expected, seconds: followSeconds });
  } finally {
    await run.close();
  }
}

/** Writes for this many seconds, and returns the number of lines; if it cannot write, waits and returns undefined. */
async function write({ cluster, followSeconds }: Bench, who: Follower): Promise<number | undefined> {
  if (cluster.simulated === undefined) {
    await sleep(followSeconds * 1000);
    return undefined;
  }
  const perSecond = LINES_PER_SECOND / FOLLOWED;
  const written = await cluster.simulated.control('writeBurst', {
    workload: `deployments/${followedBy(who, 'talker')}`,
    text: LINE,
    count: perSecond * followSeconds,
    perSecond,
  });
  return written.reduce((sum, { count }) => sum + count, 0);
}

async function untilCounted(run: FollowerRun, expected: number): Promise<number> {
  for (let lastMs = Date.now(); Date.now() - lastMs < PATIENCE_MS; await sleep(100)) {
    const before = run.lines;
    if ((await run.count()) >= expected) break;
    if (run.lines > before) lastMs = Date.now();
  }
  return run.lines;
}

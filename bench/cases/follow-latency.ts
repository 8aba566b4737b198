import { setTimeout as sleep } from 'node:timers/promises';
import { FOLLOWED, type FollowedKind, followedBy } from '../cluster/scenario.ts';
import { type LineArrivals, listen } from '../measure/arrivals.ts';
import { type LatencyGoals, LONE_GOALS, latencyCells, SEVERAL_GOALS } from '../report/follow-row.ts';
import type { Row } from '../report/row.ts';
import { type Bench, type Case, Skipped } from './case.ts';
import { type FollowCommand, followCommands } from './follow-commands.ts';
import { lateness } from './lateness.ts';

const LINES = 500;
/** Maximum time to wait for a line. */
const PATIENCE_MS = 20_000;

/** Containers of one workload that write a line now and then. */
interface Followed {
  readonly how: FollowedKind;
  readonly containers: number;
  readonly goals: LatencyGoals;
}

const SEVERAL: Followed = { how: 'ticker', containers: FOLLOWED, goals: SEVERAL_GOALS };
const LONE: Followed = { how: 'lone', containers: 1, goals: LONE_GOALS };

/**
 * Measures from the runtime's timestamp of a line to its arrival at a reader of the pipe; in another cluster, whose
 * clock differs from this machine's, how much later it arrives than at the reader of kubectl.
 */
export const FOLLOW_LATENCY_CASES: readonly Case[] = [
  {
    name: 'follow latency',
    async run(bench) {
      return bench.cluster.simulated === undefined ? lateness(bench) : rowsOf(bench, SEVERAL);
    },
  },
  {
    name: 'follow latency one',
    async run(bench) {
      if (bench.cluster.simulated === undefined)
        throw new Skipped('nothing writes lines to one container there');
      return rowsOf(bench, LONE);
    },
  },
];

async function rowsOf(bench: Bench, followed: Followed): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const command of followCommands(bench, followed.how))
    rows.push(await latencies(bench, command, followed));
  return rows;
}

async function latencies(
  bench: Bench,
  { who, command }: FollowCommand,
  { how, containers, goals }: Followed,
): Promise<Row> {
  const workload = `deployments/${followedBy(who, how)}`;
  const arrivals = listen(command, bench.cluster.env, /(?:tick|warm) \d+\./);
  const write = async (text: string, index?: number) =>
    bench.cluster.simulated?.control('writeLines', {
      workload,
      text,
      ...(index === undefined ? {} : { index }),
    });
  try {
    await untilAllFollowed(write, arrivals, containers);
    const writtenMs: number[] = [];
    for (let n = 0; n < LINES; n++) {
      const [line] = (await write(`tick ${n}.`, n % containers)) ?? [];
      writtenMs.push(Date.parse(line?.first ?? ''));
      // Not in step with any timer.
      await sleep(3 + ((n * 7) % 23));
    }
    const tookMs: number[] = [];
    for (const [n, ms] of writtenMs.entries()) {
      const [arrivedMs = Number.NaN] = await arrivals.of(`tick ${n}.`, 1, PATIENCE_MS);
      tookMs.push(arrivedMs - ms);
    }
    const note = `${tookMs.length} lines of ${containers === 1 ? 'one container' : `${containers} containers`}`;
    return { who, cells: latencyCells(tookMs, who === 'kubectl' ? undefined : goals), note };
  } finally {
    await arrivals.close();
  }
}

/** Waits until a line of every container has arrived. */
async function untilAllFollowed(
  write: (text: string) => Promise<unknown>,
  arrivals: LineArrivals,
  containers: number,
): Promise<void> {
  const endMs = Date.now() + PATIENCE_MS;
  for (let n = 0; ; n++) {
    await write(`warm ${n}.`);
    const came = await arrivals.of(`warm ${n}.`, containers, 500);
    if (came.length === containers) return;
    if (Date.now() > endMs) throw new Error(`only ${came.length} of ${containers} containers were followed`);
  }
}

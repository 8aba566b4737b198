import { setTimeout as sleep } from 'node:timers/promises';
import { FOLLOWED, followedBy } from '../cluster/scenario.ts';
import { type LineArrivals, listen } from '../measure/arrivals.ts';
import { percentile, type Row } from '../report/row.ts';
import { type Bench, type Case, Skipped } from './case.ts';
import { type FollowWords, followWords } from './follow-words.ts';

const LINES = 500;
const MEDIAN_GOAL_MS = 150;
const P99_GOAL_MS = 300;
/** A line is waited for so long. */
const PATIENCE_MS = 20_000;

/** From the stamp that the runtime gives a line to its arrival at a reader of the pipe. */
export const FOLLOW_LATENCY_CASE: Case = {
  name: 'follow latency',
  async run(bench) {
    if (bench.place.simulated === undefined)
      throw new Skipped('lines would have to be written, and the clocks of two machines to agree');
    const rows: Row[] = [];
    for (const words of followWords(bench, 'ticker')) rows.push(await latencies(bench, words));
    return rows;
  },
};

async function latencies(bench: Bench, { who, command }: FollowWords): Promise<Row> {
  const workload = `deployments/${followedBy(who, 'ticker')}`;
  const arrivals = listen(command, bench.place.env);
  const write = async (text: string, index?: number) =>
    bench.place.simulated?.control('writeLines', {
      workload,
      text,
      ...(index === undefined ? {} : { index }),
    });
  try {
    await untilAllFollowed(write, arrivals);
    const writtenMs: number[] = [];
    for (let n = 0; n < LINES; n++) {
      const [line] = (await write(`tick ${n}.`, n % FOLLOWED)) ?? [];
      writtenMs.push(Date.parse(line?.first ?? ''));
      // Not in step with any timer.
      await sleep(3 + ((n * 7) % 23));
    }
    const tookMs: number[] = [];
    for (const [n, ms] of writtenMs.entries()) {
      const [arrivedMs = Number.NaN] = await arrivals.of(`tick ${n}.`, 1, PATIENCE_MS);
      tookMs.push(arrivedMs - ms);
    }
    return latencyRow(who, tookMs);
  } finally {
    await arrivals.close();
  }
}

/** Until a line of every container came. */
async function untilAllFollowed(
  write: (text: string) => Promise<unknown>,
  arrivals: LineArrivals,
): Promise<void> {
  const endMs = Date.now() + PATIENCE_MS;
  for (let n = 0; ; n++) {
    await write(`warm ${n}.`);
    const came = await arrivals.of(`warm ${n}.`, FOLLOWED, 500);
    if (came.length === FOLLOWED) return;
    if (Date.now() > endMs) throw new Error(`only ${came.length} of ${FOLLOWED} containers were followed`);
  }
}

function latencyRow(who: FollowWords['who'], tookMs: readonly number[]): Row {
  const isJudged = who !== 'kubectl';
  const figure = (name: string, value: number, goal: number) => ({
    column: 'other' as const,
    name,
    text: `${name} ${Math.round(value)} ms${isJudged ? ` (goal ${goal})` : ''}`,
    isMet: isJudged ? value <= goal : undefined,
  });
  return {
    who,
    cells: [
      figure('median', percentile(tookMs, 0.5), MEDIAN_GOAL_MS),
      figure('p99', percentile(tookMs, 0.99), P99_GOAL_MS),
    ],
    note: `${tookMs.length} lines of ${FOLLOWED} containers`,
  };
}

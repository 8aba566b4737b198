import { setTimeout as sleep } from 'node:timers/promises';
import { FOLLOWED, followedBy } from '../cluster/scenario.ts';
import { type LineArrivals, listen } from '../measure/arrivals.ts';
import { latencyCells } from '../report/follow-row.ts';
import type { Row } from '../report/row.ts';
import type { Bench, Case } from './case.ts';
import { type FollowWords, followWords } from './follow-words.ts';
import { lateness } from './lateness.ts';

const LINES = 500;
/** A line is waited for so long. */
const PATIENCE_MS = 20_000;

/**
 * From the stamp that the runtime gives a line to its arrival at a reader of the pipe; in another cluster, whose clock is
 * not ours, how much later than at the reader of kubectl.
 */
export const FOLLOW_LATENCY_CASE: Case = {
  name: 'follow latency',
  async run(bench) {
    if (bench.place.simulated === undefined) return lateness(bench);
    const rows: Row[] = [];
    for (const words of followWords(bench, 'ticker')) rows.push(await latencies(bench, words));
    return rows;
  },
};

async function latencies(bench: Bench, { who, command }: FollowWords): Promise<Row> {
  const workload = `deployments/${followedBy(who, 'ticker')}`;
  const arrivals = listen(command, bench.place.env, /(?:tick|warm) \d+\./);
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
    const note = `${tookMs.length} lines of ${FOLLOWED} containers`;
    return { who, cells: latencyCells(tookMs, who !== 'kubectl'), note };
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

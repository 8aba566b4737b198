import { LINE, WRITERS } from './scenario.ts';
import type { Bench } from './start-bench.ts';

export const LINES_PER_SECOND = 50_000;
/** The number of lines that each container writes at its start. */
const UP = 1;
/** The number of lines in the log before the million. */
export const LINES_BEFORE = WRITERS * UP;

/** A written log. */
export interface Written {
  readonly lines: number;
  readonly perSecond: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

/** Writes this many lines in all, at 50,000 a second if the machine can. */
export async function writeMillion(bench: Bench, lines: number): Promise<Written> {
  const count = Math.floor(lines / WRITERS) - UP;
  const firstMs = Date.now();
  const written = await bench.control('writeBurst', {
    workload: 'deployments/writer',
    text: LINE,
    count,
    perSecond: LINES_PER_SECOND / WRITERS,
  });
  const lastMs = Date.now();
  const all = written.reduce((sum, each) => sum + each.count, 0);
  return { lines: LINES_BEFORE + all, perSecond: (all * 1000) / (lastMs - firstMs), firstMs, lastMs };
}

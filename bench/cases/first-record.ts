import { spawn } from 'node:child_process';
import type { Logtool } from '../measure/programs.ts';
import { duration, middle, type Row } from '../report/row.ts';
import { type Bench, type Case, whereOf } from './case.ts';

const GOAL = 3;

/** Measures the time to the first record of many containers, compared with one container; only for logtool. */
export const FIRST_RECORD_CASE: Case = {
  name: 'many first record',
  async run(bench) {
    const rows: Row[] = [];
    for (const logtool of bench.programs.logtools) rows.push(await measure(bench, logtool));
    return rows;
  },
};

async function measure(bench: Bench, logtool: Logtool): Promise<Row> {
  const { cluster } = bench;
  const commandOf = (source: string) => [
    ...logtool.command,
    'logs',
    source,
    '--all',
    '--previous=no',
    '--hide-header',
    ...whereOf(cluster),
  ];
  const many: number[] = [];
  const one: number[] = [];
  for (let round = -1; round < bench.rounds; round++) {
    const took = [
      await firstOutputMs(commandOf(cluster.workload), cluster.env),
      await firstOutputMs(commandOf(cluster.single), cluster.env),
    ];
    // The first round only warms caches.
    if (round < 0) continue;
    many.push(took[0] ?? Number.NaN);
    one.push(took[1] ?? Number.NaN);
  }
  const ratio = middle(many) / middle(one);
  const text = `${duration(middle(many))} / ${duration(middle(one))} (one container) = ${ratio.toFixed(2)} (goal ${GOAL})`;
  return { who: logtool.kind, cells: [{ column: 'wall', text, isMet: ratio <= GOAL }] };
}

/** Returns the time from start to the first byte of output, in ms. */
async function firstOutputMs(command: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [file = '', ...args] = command;
  const begin = performance.now();
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors = (errors + chunk).slice(-2000);
  });
  const closed = new Promise((resolve) => child.once('close', resolve));
  const first = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.stdout.once('data', () => resolve(performance.now()));
    child.stdout.once('end', () => reject(new Error(`it printed nothing: ${errors.trim()}`)));
  });
  // The program ends by itself once its output has no reader.
  child.stdout.destroy();
  await closed;
  return first - begin;
}

import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Bench, type Case, Skipped } from './cases/case.ts';
import { DISTANCE_CASES } from './cases/distance.ts';
import { FIRST_RECORD_CASE } from './cases/first-record.ts';
import { FOLLOW_LATENCY_CASES } from './cases/follow-latency.ts';
import { FOLLOW_RATE_CASE } from './cases/follow-rate.ts';
import { GREP_CASES } from './cases/grep.ts';
import { MANY_CASES } from './cases/many.ts';
import { NODE_ONLY_CASE } from './cases/node-only.ts';
import { PACKAGE_CASES } from './cases/packages.ts';
import { START_CASES } from './cases/start.ts';
import { WHOLE_LOG_CASES } from './cases/whole-log.ts';
import { openCluster } from './cluster/open-cluster.ts';
import { atExit } from './measure/at-exit.ts';
import { findPrograms } from './measure/programs.ts';
import { type BenchOptions, readOptions, USAGE } from './options.ts';
import { machineFacts } from './report/machine.ts';
import { report } from './report/report.ts';
import { HEAD, isBroken, type Outcome, tableRows } from './report/table.ts';

/* Measures the cost of the command line, compared with the real kubectl and helm on the same server; see options.ts. */

const ROOT = resolve(import.meta.dirname, '..');
const CASES: readonly Case[] = [
  NODE_ONLY_CASE,
  ...START_CASES,
  ...DISTANCE_CASES,
  ...WHOLE_LOG_CASES,
  ...MANY_CASES,
  FIRST_RECORD_CASE,
  ...GREP_CASES,
  FOLLOW_RATE_CASE,
  ...FOLLOW_LATENCY_CASES,
  ...PACKAGE_CASES,
];

if (process.argv.includes('--help')) {
  console.log(USAGE);
  process.exit();
}
const loadBefore = loadavg()[0] ?? 0;
// npm runs scripts in the package's folder; a path is relative to the user's folder.
const options = asked();
const wanted = CASES.filter(
  ({ name }) => options.only.length === 0 || options.only.some((only) => name.includes(only)),
);
if (wanted.length === 0)
  end(2, `no case of that name; there are: ${CASES.map(({ name }) => name).join(', ')}`);
const programs = await findPrograms(ROOT, options);
const cluster = await openCluster(
  options.foreign,
  programs.kubectl,
  join(ROOT, 'scripts/run/simcluster.mjs'),
).catch((error: Error) => end(1, error.message));
const directory = await mkdtemp(join(tmpdir(), 'logtool-bench-'));
atExit(() => rmSync(directory, { recursive: true, force: true }));
try {
  const { rounds, followSeconds } = options;
  const bench: Bench = { cluster, programs, rounds, followSeconds, root: ROOT, directory };
  console.log(HEAD.join('\n'));
  const outcomes: Outcome[] = [];
  for (const one of wanted) {
    const outcome = await measured(one, bench);
    outcomes.push(outcome);
    console.log(tableRows(outcome).join('\n'));
  }
  if (outcomes.some(isBroken)) process.exitCode = 1;
  if (options.isWritten) {
    const facts = {
      rounds,
      cluster: cluster.description,
      machine: await machineFacts(ROOT, programs, loadBefore),
    };
    await writeFile(join(ROOT, 'bench/results.md'), report(facts, outcomes));
  }
} finally {
  await cluster.close();
}

function asked(): BenchOptions {
  try {
    return readOptions(process.argv.slice(2), process.env.INIT_CWD ?? '');
  } catch (error) {
    return end(2, `${(error as Error).message}\n${USAGE}`);
  }
}

function end(code: number, why: string): never {
  console.error(`bench: ${why}`);
  process.exit(code);
}

async function measured(one: Case, bench: Bench): Promise<Outcome> {
  const { name } = one;
  try {
    return { name, rows: await one.run(bench) };
  } catch (error) {
    if (error instanceof Skipped) return { name, rows: [], skipped: error.message };
    return { name, rows: [], failure: (error as Error).message };
  }
}

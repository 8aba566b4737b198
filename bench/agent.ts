import { execFile, fork } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip } from 'node:zlib';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { formatTimestamp, parseTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { EntryQuery } from '@logtool/logtool/src/agent/entries/entry-query.ts';
import { LogFiles } from '@logtool/logtool/src/agent/entries/log-files.ts';
import { walkEntries } from '@logtool/logtool/src/agent/entries/walk-entries.ts';
import { LocalFolder } from '@logtool/logtool/src/agent/files/local-folder.ts';
import { StampIndex } from '@logtool/logtool/src/agent/index/stamp-index.ts';
import { countLines, countTestsOf } from '@logtool/logtool/src/agent/search/count-lines.ts';
import { searchEntries } from '@logtool/logtool/src/agent/search/search-entries.ts';
import type { FilterPlan } from '@logtool/logtool/src/domain/filter.ts';
import { compileFilter } from '@logtool/logtool/src/stream/match/compile-filter.ts';
import { middle } from './report/row.ts';

/*
 * Measures what the agent does with the files of a node, without the network: searches, counts and pages of one large
 * log, each in a process of its own, beside `grep`. `node scripts/run/run-ts.mjs bench/agent.ts [MB] [rounds]` writes
 * bench/agent.md for 1,000 MB.
 */

const WHOLE_MB = 1_000;
const [MB, ROUNDS] = [Number(process.argv[2] ?? WHOLE_MB), Number(process.argv[3] ?? 5)];
const LITERAL = 'deadline exceeded';
const BASE = parseTimestamp('2026-11-21T10:00:00Z')!.seconds;
/** An application writes so many lines in a second. */
const LINES_A_SECOND = 1_000;
const FILTER: FilterPlan = { exclude: [], ignoreCase: false, levels: [], beforeContext: 0, afterContext: 0 };
const ALL: EntryQuery = {
  lower: undefined,
  upper: undefined,
  direction: 'forward',
  limit: undefined,
  stream: undefined,
};
const CONTAINER = { namespace: 'shop', pod: 'web', podUid: '1', container: 'app' };

/** What a process of its own measured. */
interface Measured {
  readonly ms: readonly number[];
  readonly found: number;
  readonly peakMiB: number;
}

type Job = 'search' | 'rare' | 'count' | 'page' | 'baseline';
const JOBS: Readonly<Record<Job, (files: LogFiles, round: number) => Promise<number>>> = {
  search: (files) => search(files, LITERAL),
  rare: (files) => search(files, 'deadline ex[a-z]+ed after'),
  count,
  page,
  baseline: async () => 0,
};

function entryAt(line: number): string {
  const at = { seconds: BASE + Math.floor(line / LINES_A_SECOND), nanos: (line % LINES_A_SECOND) * 1e6 };
  const isFailure = line % 100_000 === 77_777;
  const message = isFailure
    ? `{"level":"error","msg":"${LITERAL} after 5s","path":"/api/v1/orders","status":504,"id":${line}}`
    : `{"level":"info","msg":"payment accepted for the order","path":"/api/v1/Pay","status":200,"id":${line}}`;
  return `${formatTimestamp(at)} stdout F ${message}\n`;
}

/** Writes the log; returns how many lines it has. */
async function writeLog(path: string): Promise<number> {
  let lines = 0;
  const pieces = async function* () {
    for (let bytes = 0; bytes < MB * 1e6; ) {
      let piece = '';
      for (let line = 0; line < 10_000; line++) piece += entryAt(lines++);
      bytes += piece.length;
      yield piece;
    }
  };
  await pipeline(pieces, createWriteStream(path));
  return lines;
}

async function search(files: LogFiles, grep: string): Promise<number> {
  const filter = { ...FILTER, grep };
  const compiled = await compileFilter(filter);
  const context = { container: CONTAINER, compiled, stamps: new StampIndex(), clock: systemClock };
  let found = 0;
  for await (const item of searchEntries(files, { query: ALL, filter, maxScan: undefined }, context))
    if (item.kind === 'entries') found += item.entries.length;
  return found;
}

async function count(files: LogFiles): Promise<number> {
  const filter = { ...FILTER, wholeRecords: true };
  const tests = await countTestsOf(filter, new AbortController().signal);
  const context = { container: CONTAINER, tests, stamps: new StampIndex(), clock: systemClock };
  let found = 0;
  for await (const item of countLines(
    files,
    { query: ALL, filter, bucketMs: 60_000, maxScan: undefined },
    context,
  )) {
    if (item.kind !== 'counts') continue;
    for (const { lines } of item.buckets) for (const each of lines) found += each;
  }
  return found;
}

/** Reads the 500 lines before a time that is somewhere else in each round, with nothing known of the file. */
async function page(files: LogFiles, round: number): Promise<number> {
  const seconds = BASE + Math.floor((MB * 1e6 * ((round * 0.37 + 0.13) % 1)) / 150 / LINES_A_SECOND);
  const upper = { point: { kind: 'time', at: { seconds, nanos: 0 } }, isInclusive: false } as const;
  let found = 0;
  const query: EntryQuery = { ...ALL, upper, direction: 'backward', limit: 500 };
  for await (const item of walkEntries(files, query, { stamps: new StampIndex() }))
    if (item.kind === 'entries') found += item.entries.length;
  return found;
}

/** Runs a job in this process, and reports to the one that started it. */
async function runJob(job: Job, root: string): Promise<void> {
  const ms: number[] = [];
  let found = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const { signal } = new AbortController();
    const start = performance.now();
    const files = await LogFiles.list(new LocalFolder(root, ['pod', 'app'], signal), undefined, signal);
    found = await JOBS[job](files, round);
    ms.push(performance.now() - start);
  }
  const peak = /VmHWM:\s+(\d+) kB/.exec(await readFile('/proc/self/status', 'utf8'))?.[1];
  process.send?.({ ms, found, peakMiB: Number(peak) / 1024 } satisfies Measured);
}

function measure(job: Job, root: string): Promise<Measured> {
  return new Promise((done, fail) => {
    const runner = resolve(import.meta.dirname, '../scripts/run/run-ts.mjs');
    const child = fork(runner, ['bench/agent.ts', String(MB), String(ROUNDS), job, root]);
    let measured: Measured | undefined;
    child.on('message', (message) => {
      measured = message as Measured;
    });
    child.on('exit', (code) =>
      measured === undefined ? fail(new Error(`${job} ended with ${code}`)) : done(measured),
    );
  });
}

/** Returns how long a command of a shell takes, and what it counts. */
async function shell(command: string): Promise<Omit<Measured, 'peakMiB'>> {
  const ms: number[] = [];
  let found = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    const { stdout } = await promisify(execFile)('sh', ['-c', command]);
    ms.push(performance.now() - start);
    found = Number(stdout);
  }
  return { ms, found };
}

interface Line {
  readonly what: string;
  readonly measured: Omit<Measured, 'peakMiB'> & { readonly peakMiB?: number };
  readonly rate?: number;
  readonly goal?: string;
}

function tableLine({ what, measured, rate, goal = '' }: Line): string {
  const ms = middle(measured.ms);
  const speed = rate === undefined ? '' : `${(rate / 1e6 / ms).toFixed(2)} GB/s`;
  const peak = measured.peakMiB === undefined ? '' : `${measured.peakMiB.toFixed(0)} MiB`;
  return `| ${what} | ${ms.toFixed(0)} ms | ${speed} | ${peak} | ${measured.found.toLocaleString('en')} | ${goal} |`;
}

const verdict = (isMet: boolean, goal: string) => `${goal}: ${isMet ? 'met' : '**short**'}`;

async function main(): Promise<void> {
  const [loadBefore = 0] = loadavg();
  const base = await mkdtemp(join(tmpdir(), 'logtool-bench-agent-'));
  try {
    const [plain, packed] = [join(base, 'plain'), join(base, 'packed')];
    for (const root of [plain, packed]) await mkdir(join(root, 'pod', 'app'), { recursive: true });
    const file = join(plain, 'pod', 'app', '0.log');
    const gz = join(packed, 'pod', 'app', '0.log.20261121-120000.gz');
    const lines = await writeLog(file);
    await pipeline(createReadStream(file), createGzip(), createWriteStream(gz));
    const { size } = await stat(file);
    await report(await measureAll({ plain, packed, file, gz, size }), {
      lines,
      size,
      packed: (await stat(gz)).size,
      loadBefore,
    });
  } finally {
    await rm(base, { recursive: true });
  }
}

interface Logs {
  readonly plain: string;
  readonly packed: string;
  readonly file: string;
  readonly gz: string;
  readonly size: number;
}

async function measureAll({ plain, packed, file, gz, size }: Logs): Promise<readonly Line[]> {
  const grep = await shell(`grep -c '${LITERAL}' ${file}`);
  const zgrep = await shell(`zcat ${gz} | grep -c '${LITERAL}'`);
  const [search, packedSearch] = [await measure('search', plain), await measure('search', packed)];
  const [found, pages] = [await measure('rare', plain), await measure('page', plain)];
  for (const { found: other } of [zgrep, search, packedSearch, found])
    if (other !== grep.found) throw new Error(`found ${other} lines, and grep ${grep.found}`);
  const rate = size / middle(search.ms) / 1e6;
  const ratio = middle(zgrep.ms) / middle(packedSearch.ms);
  const pageMs = Math.max(...pages.ms);
  return [
    { what: 'grep, plain', measured: grep, rate: size },
    { what: 'literal, plain', measured: search, rate: size, goal: verdict(rate >= 2, 'at least 2 GB/s') },
    { what: 'regular expression with a literal in it, plain', measured: found, rate: size },
    { what: 'zcat \\| grep', measured: zgrep, rate: size },
    {
      what: 'literal, .gz',
      measured: packedSearch,
      rate: size,
      goal: verdict(ratio >= 0.9, `at least 0.9 times \`zcat \\| grep\` (${ratio.toFixed(2)})`),
    },
    { what: 'counts by minute and level, plain', measured: await measure('count', plain), rate: size },
    {
      what: '500 lines before a time, plain',
      measured: pages,
      goal: verdict(pageMs <= 100, `at most 100 ms (the slowest: ${pageMs.toFixed(0)} ms)`),
    },
    { what: 'nothing: lists the files', measured: await measure('baseline', plain) },
  ];
}

async function report(
  table: readonly Line[],
  about: {
    readonly lines: number;
    readonly size: number;
    readonly packed: number;
    readonly loadBefore: number;
  },
): Promise<void> {
  const processors = cpus();
  const text = `# The agent: searches, counts and pages of one log

\`node scripts/run/run-ts.mjs bench/agent.ts\` writes this: medians of ${ROUNDS} rounds, in one process for each line of the
table, without the network. The log has ${about.lines.toLocaleString('en')} lines, ${(about.size / 1e6).toFixed(0)} MB, and ${(about.packed / 1e6).toFixed(0)} MB compressed; it is in the memory of the
system. The peak is what was resident at once in the process that searches, with Node.js itself and with all that the
benchmark imports: not of an agent, which also serves HTTPS.

${processors[0]?.model ?? 'unknown CPU'}, ${processors.length} cores; Node ${process.version}; load of the machine when it began: ${about.loadBefore.toFixed(1)} (a minute).

| what | time | rate | peak memory | found | goal |
|---|---|---|---|---|---|
${table.map(tableLine).join('\n')}
`;
  if (MB === WHOLE_MB) await writeFile(resolve(import.meta.dirname, 'agent.md'), text);
  process.stdout.write(text);
}

const [, , , , job, root] = process.argv;
if (job === undefined || root === undefined) await main();
else await runJob(job as Job, root);

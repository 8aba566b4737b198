import { writeFile } from 'node:fs/promises';
import { cpus, loadavg, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { FILLED, writeLogs } from '../cluster/write-logs.ts';
import { buffer } from './buffer.ts';
import { busyness } from './busyness.ts';
import type { Figure } from './figures.ts';
import { firstLoad } from './first-load.ts';
import { firstRow } from './first-row.ts';
import { follow } from './follow.ts';
import { home } from './home.ts';
import { jumps, olderPages } from './jump.ts';
import { scanFigures, scanRound } from './scan.ts';
import { LARGE, LOGS } from './scenario.ts';
import { type Bench, launch, startBench } from './start-bench.ts';
import { type Written, writeMillion } from './write-million.ts';

/*
 * Measures the dashboard in a real Chromium, with the built server and the simulated cluster, all on this machine. Run
 * `npm run build` first.
 * `npm run bench:ui -- [--rounds N] [--lines N] [--dist PATH] [--no-write] [case...]`
 */

const ROOT = resolve(import.meta.dirname, '../..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    lines: { type: 'string', default: '1000000' },
    dist: { type: 'string', default: join(ROOT, 'dist') },
    'node-flag': { type: 'string', multiple: true, default: [] },
    'no-write': { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);
const lines = Number(values.lines);
const isWanted = (name: string) => positionals.length === 0 || positionals.includes(name);

const loadBefore = loadavg()[1] ?? 0;
const figures: Figure[] = [];
/** By case: how busy the machine was with other work before it. */
const busy = new Map<string, number>();
const browser = await launch();
try {
  if (['load', 'row', 'follow', 'buffer', 'jump'].some(isWanted)) await withBench(LOGS, measureLogs);
  await measure('scan', measureScans);
  if (isWanted('home')) {
    await withBench(join(ROOT, 'scenarios/large.yaml'), (bench) =>
      measure('home', () => home(browser, bench, rounds)),
    );
  }
} finally {
  await browser.close();
}
if (!values['no-write']) await writeFile(join(ROOT, 'bench/ui.md'), report(browser));

async function withBench(scenario: object | string, run: (bench: Bench) => Promise<void>): Promise<void> {
  const bench = await startBench(values.dist, scenario, values['node-flag']);
  try {
    await run(bench);
  } finally {
    await bench.close();
  }
}

/** Uses a new server for each round, which has read nothing yet. */
async function measureScans(): Promise<readonly Figure[]> {
  const all: Awaited<ReturnType<typeof scanRound>>[] = [];
  for (let round = 0; round < rounds; round++) {
    await withBench(LARGE, async (bench) => {
      writeLogs(
        bench.directory,
        FILLED.filter(({ deployment }) => deployment === 'big'),
      );
      all.push(await scanRound(bench));
    });
  }
  return scanFigures(all);
}

async function measureLogs(bench: Bench): Promise<void> {
  await measure('load', () => firstLoad(browser, bench));
  await measure('row', () => firstRow(browser, bench, rounds));
  await measure('follow', () => follow(browser, bench));
  let written: Written | undefined;
  await measure('buffer', async () => {
    const result = await buffer(browser, bench, lines);
    written = result.written;
    return result.figures;
  });
  await measure('jump', async () => {
    const log = written ?? (await writeMillion(bench, lines));
    return [...(await jumps(browser, bench, log, rounds)), ...(await olderPages(browser, bench))];
  });
}

async function measure(name: string, run: () => Promise<readonly Figure[]>): Promise<void> {
  if (!isWanted(name)) return;
  const factor = busyness();
  busy.set(name, factor);
  console.log(
    `${name} (load ${(loadavg()[0] ?? 0).toFixed(1)}, a program that only counts takes ${factor.toFixed(1)} times as long)`,
  );
  for (const figure of await run()) {
    figures.push(figure);
    console.log(row(figure));
  }
}

function row({ what, measured, limit, ratio }: Figure): string {
  return `| ${what} | ${measured} | ${limit ?? ''} | ${ratio === undefined ? '' : ratio.toFixed(2)} |`;
}

function report(chromium: Browser): string {
  return [
    '# The dashboard, measured',
    '',
    'Chromium, the server and the simulated cluster share one machine: ' +
      `${cpus()[0]?.model ?? 'unknown CPU'}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB; ` +
      `Node ${process.version}, Chromium ${chromium.version()} (headless, no GPU), window of 1440x900. ` +
      `${lines.toLocaleString('en')} lines of 150 bytes; medians of ${rounds} rounds. ` +
      `Load of the machine when it began: ${loadBefore.toFixed(1)} (5 minutes).`,
    '',
    'A ratio of 1 or less holds the limit. How busy the machine was with other things, as the time that a program which ' +
      `only counts took before each part over the time it takes alone: ${[...busy].map(([name, factor]) => `${name} ${factor.toFixed(1)}`).join(', ')}.`,
    '',
    '| what | measured | limit | ratio |',
    '|---|---|---|---|',
    ...figures.map(row),
    '',
  ].join('\n');
}

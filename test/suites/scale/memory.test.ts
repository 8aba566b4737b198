import { spawn } from 'node:child_process';
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBigCluster } from './big-cluster.ts';

const PROGRAM = join(import.meta.dirname, '../../../bin/logtool.js');
const MAX_MIB = 100;

/**
 * Each container of `web` gets this many more lines of this length, interleaved in time with those of the
 * others.
 */
const LINES = 180;
const LINE_BYTES = 150;

let cluster: SimCluster;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'memory-'));
  cluster = await startBigCluster();
  await writeMore(cluster, 'team-1_web-');
  // Writes down the peak memory, as reported by the kernel, when the process ends.
  await writeFile(
    join(folder, 'peak.cjs'),
    `process.on('exit', () => { const fs = require('node:fs'); fs.writeFileSync(process.env.PEAK_FILE, fs.readFileSync('/proc/self/status')); });`,
  );
});
afterAll(async () => {
  await cluster?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Writes to the logs of the pods whose folder has this prefix, like their node's runtime. */
async function writeMore({ logDirectory }: SimCluster, folderStart: string): Promise<void> {
  const startMs = Date.now() - 5 * 60_000;
  let containers = 0;
  for (const node of await readdir(logDirectory)) {
    for (const folder of await readdir(join(logDirectory, node))) {
      if (!folder.startsWith(folderStart)) continue;
      const micros = String(containers++ % 1000).padStart(3, '0');
      const lines = Array.from({ length: LINES }, (_, n) => {
        const at = new Date(startMs + n * 1000).toISOString().replace('Z', `${micros}Z`);
        return `${at} stdout F ${`request=${n} `.padEnd(LINE_BYTES, 'served in order ')}\n`;
      });
      await appendFile(join(logDirectory, node, folder, 'app/0.log'), lines.join(''));
    }
  }
}

async function peakMib(...argv: string[]): Promise<number> {
  const status = join(folder, 'status');
  const child = spawn(
    process.execPath,
    ['--require', join(folder, 'peak.cjs'), PROGRAM, 'logs', '--kubeconfig', cluster.kubeconfig, ...argv],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { PATH: process.env.PATH, XDG_CACHE_HOME: folder, TMPDIR: folder, PEAK_FILE: status },
    },
  );
  child.stdout.resume();
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect(code).toBe(0);
  const [, kib] = /VmHWM:\s*(\d+) kB/.exec(await readFile(status, 'utf8')) ?? [];
  return Number(kib) / 1024;
}

/**
 * The limit is for Node 20 on Linux, whose kernel reports the peak: later versions use 10 MiB or more extra.
 */
const isMeasured = process.platform === 'linux' && process.versions.node.startsWith('20.');

test.runIf(isMeasured).each([
  ['the last lines of a thousand containers', ['deployments/web', '--tail=5']],
  ['many of the last lines of a thousand containers', ['deployments/web', '--tail=5000']],
  ['all of a thousand containers', ['deployments/web', '--all']],
  ['a page of a thousand containers', ['deployments/web', '--head=1000', '--with-cursors']],
  ['one Deployment amid all pods of all namespaces', ['*:statefulsets/db', '--tail=1']],
])('%s: at most 100 MiB at the peak', async (_, argv) => {
  expect(await peakMib(...argv)).toBeLessThanOrEqual(MAX_MIB);
});

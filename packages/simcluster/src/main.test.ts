import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** Runs `npm run simcluster` as a process, to check what it prints and what it leaves behind. */
const ROOT = join(import.meta.dirname, '../../..');
const SCENARIO = join(ROOT, 'scenarios/minimal.yaml');
let folder: string;
let program: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simcluster-main-'));
  program = join(folder, 'simcluster.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'main.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    banner: {
      js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);",
    },
    keepNames: true,
  });
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs it to its end. Calls `onOutput` with everything that has arrived on stdout so far. */
async function run(args: readonly string[], onOutput: (text: string, kill: () => void) => void = () => {}) {
  const child = spawn(process.execPath, [program, ...args], { env: { ...process.env, TMPDIR: folder } });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk;
    onOutput(out, () => child.kill('SIGINT'));
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  return { out, err, code };
}

async function leftOver(): Promise<readonly string[]> {
  return (await readdir(folder)).filter((name) => name !== 'simcluster.mjs');
}

test('prints the path of the kubeconfig, and Ctrl-C leaves no files', async () => {
  let there = false;
  const result = await run([SCENARIO], (text, interrupt) => {
    if (!text.endsWith('\n')) return;
    there = existsSync(text.trim());
    interrupt();
  });
  expect(there).toBe(true);
  expect(result.code).toBe(130);
  expect(result.err).toMatch(/^serving https:\/\/127\.0\.0\.1:\d+, control http:/);
  expect(existsSync(dirname(result.out.trim()))).toBe(false);
  expect(await leftOver()).toEqual([]);
});

test.each(['--port', '--control-port'])('reports a taken %s, and ends', async (flag) => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  const result = await run([flag, `${port}`, SCENARIO]);
  other.close();
  expect(result).toMatchObject({ code: 1, out: '' });
  expect(result.err).toBe(
    `port ${port} of this machine is taken\nchoose another, or leave --port and --control-port out\n`,
  );
  expect(await leftOver()).toEqual([]);
});

test('reports a missing scenario as a usage error', async () => {
  const result = await run([join(folder, 'nope.yaml')]);
  expect(result).toMatchObject({ code: 2, out: '' });
  expect(result.err).toContain('cannot read the scenario');
});

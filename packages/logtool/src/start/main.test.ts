import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterEach, beforeEach, expect, it } from 'vitest';

// A program in two modules. The second is loaded on request.
const PROGRAM = {
  'cli-X.cjs': `
    const part = () => Promise.resolve().then(() => require('./part.cjs'));
    const [, code = '0'] = process.argv.slice(2);
    if (code === 'young') setTimeout(() => {
      const kept = [];
      for (let index = 0; index < 300_000; index++) kept.push({ index });
      const young = require('node:v8').getHeapSpaceStatistics().find((space) => space.space_name === 'new_space');
      part().then(() => console.log(kept.length, young.space_size));
    }, 300);
    else if (code === 'part') part().then(({ said }) => console.log(said(__filename)));
    else { console.log(typeof require('node:fs').readFileSync); process.exit(Number(code)); }
  `,
  'part.cjs': `exports.said = (name) => 'part of ' + name;`,
};
let folder = '';
const caches = () => join(folder, 'caches', 'logtool', 'code');
const cached = () => {
  const [name = ''] = readdirSync(caches());
  return join(caches(), name);
};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'start-'));
  for (const [name, text] of Object.entries(PROGRAM)) writeFileSync(join(folder, name), text);
  await build({
    entryPoints: [join(import.meta.dirname, 'main.ts')],
    outfile: join(folder, 'start.cjs'),
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    define: { LOGTOOL_PROGRAM: '"cli-X.cjs"', 'import.meta.dirname': '__dirname' },
  });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function start(
  args: readonly string[],
  env: Record<string, string> = {},
  flags: readonly string[] = [],
): string {
  const { stdout, stderr } = spawnSync(process.execPath, [...flags, join(folder, 'start.cjs'), ...args], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, XDG_CACHE_HOME: join(folder, 'caches'), ...env },
  });
  expect(stderr).toBe('');
  return stdout;
}

it('keeps compiled code in the first run, and runs only from it in the second', () => {
  const first = start(['logs', 'part']);
  expect(first).toBe(`part of ${join(folder, 'cli-X.cjs')}\n`);
  const { ino } = statSync(cached());
  // Both modules now come from the cache: their files are not even read.
  for (const name of Object.keys(PROGRAM)) rmSync(join(folder, name));
  expect(start(['logs', 'part'])).toBe(first);
  expect(statSync(cached()).ino).toBe(ino);
});

it('adds what a later run loads beyond the first', () => {
  expect(start(['logs'])).toBe('function\n');
  const before = readFileSync(cached()).length;
  const reported = start(['logs', 'part']);
  expect(readFileSync(cached()).length).toBeGreaterThan(before);
  rmSync(join(folder, 'part.cjs'));
  expect(start(['logs', 'part'])).toBe(reported);
});

it('compiles again what another V8 compiled or a broken disk returned', () => {
  const reported = start(['logs', 'part']);
  const { ino } = statSync(cached());
  expect(start(['logs', 'part'], {}, ['--no-lazy'])).toBe(reported);
  expect(statSync(cached()).ino).not.toBe(ino);
  writeFileSync(cached(), readFileSync(cached()).subarray(0, -9));
  expect(start(['logs', 'part'])).toBe(reported);
});

it('keeps nothing of a run that failed, nor if that is turned off', () => {
  start(['logs', '1']);
  start(['logs'], { NODE_DISABLE_COMPILE_CACHE: '1' });
  expect(() => readdirSync(caches())).toThrow('ENOENT');
});

it('keeps the heap of a long logs run small, and still runs only from compiled code', () => {
  const young = (command: string) => Number(start([command, 'young']).split(' ')[1]);
  expect(young('logs')).toBeLessThan(young('serve') / 2);
  const path = join(caches(), readdirSync(caches()).find((name) => name.includes('-logs')) ?? '');
  const { ino } = statSync(path);
  young('logs');
  expect(statSync(path).ino).toBe(ino);
});

import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '..');
let folder = '';
let home = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logtool-pack-'));
  home = join(folder, 'home');
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: ROOT });
  const archive = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? '';
  await run('npm', [
    'install',
    '--offline',
    '--no-audit',
    '--no-fund',
    '--prefix',
    home,
    join(folder, archive),
  ]);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test('what npm pack gives installs without any dependency and runs alone', async () => {
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const { stdout } = await run(join(home, 'node_modules/.bin/logtool'), ['--version'], { cwd: home });
  expect(stdout).toContain(version);
  expect((await readdir(join(home, 'node_modules'))).filter((name) => !name.startsWith('.'))).toEqual([
    'logtool',
  ]);
});

test('the packed program shows the licences of what it holds, and of nothing else', async () => {
  const { stdout } = await run(join(home, 'node_modules/.bin/logtool'), ['version', '--licenses'], {
    cwd: home,
  });
  expect(stdout).toMatch(/^ +Apache License\n/);
  for (const name of ['js-yaml', 'zod', 'react', '@fontsource/ibm-plex-mono'])
    expect(stdout.split('\n').filter((line) => line.startsWith(`${name} `))).toHaveLength(1);
  expect(stdout).not.toContain('JavaScriptCore');
});

test('the packed program shows its help', async () => {
  const { stdout } = await run(join(home, 'node_modules/.bin/logtool'), ['--help'], { cwd: home });
  expect(stdout).toContain('logtool logs');
});

test('the packed demo runs', async () => {
  const { stdout } = await run(join(home, 'node_modules/.bin/logtool'), ['demo', '--no-follow'], {
    cwd: home,
    maxBuffer: 2 ** 28,
  });
  expect(stdout.length).toBeGreaterThan(0);
});

test('npx runs the program in the checkout after npm install', async () => {
  const { stdout } = await run('npx', ['logtool', '--version'], { cwd: ROOT });
  expect(stdout).toMatch(/\d+\.\d+\.\d+/);
});

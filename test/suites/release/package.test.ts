import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../../..');
let folder = '';
let home = '';
let program = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logtool-pack-'));
  home = join(folder, 'home');
  program = join(home, 'bin/logtool');
  const staged = join(folder, 'package');
  await run(process.execPath, ['scripts/release/stage-package.mjs', staged], { cwd: ROOT });
  await run('npm', ['pack', '--pack-destination', folder], { cwd: staged });
  const archive = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? '';
  // Globally: only then does npm link programs and manual pages.
  const offline = ['--offline', '--no-audit', '--no-fund'];
  await run('npm', ['install', '--global', ...offline, '--prefix', home, join(folder, archive)]);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test('the output of npm pack installs without dependencies and runs by itself', async () => {
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const { stdout } = await run(program, ['--version'], { cwd: home });
  expect(stdout).toContain(version);
  expect((await readdir(join(home, 'lib/node_modules'))).filter((name) => !name.startsWith('.'))).toEqual([
    'logtool',
  ]);
});

test('the packed program shows the licenses of what it holds, and of nothing else', async () => {
  const { stdout } = await run(program, ['version', '--licenses'], {
    cwd: home,
  });
  expect(stdout).toMatch(/^ +Apache License\n/);
  for (const name of ['js-yaml', 'zod', 'react', '@fontsource/ibm-plex-mono'])
    expect(stdout.split('\n').filter((line) => line.startsWith(`${name} `))).toHaveLength(1);
  expect(stdout).not.toContain('JavaScriptCore');
});

test('the package holds the program, its chart, its manual page and the scenario of the demo, and nothing else', async () => {
  const packed = join(home, 'lib/node_modules/logtool');
  const names = await readdir(packed, { recursive: true, withFileTypes: true });
  const files = names
    .filter((entry) => entry.isFile())
    .map((entry) => relative(packed, join(entry.parentPath, entry.name)));
  const kinds = new Set(
    files.map((path) =>
      path
        .replace(/^charts\/.*/, 'charts')
        .replace(/^dist\/ui\/.*/, 'ui')
        .replace(/^dist\/.*\.LEGAL\.txt$/, 'legal'),
    ),
  );
  const chunks = [...kinds].filter((path) => /^dist\/(?:threads\/)?[^/]+\.cjs$/.test(path));
  expect([...kinds].filter((path) => !chunks.includes(path)).sort()).toEqual([
    'LICENSE',
    'README.md',
    'bin/logtool.js',
    'bin/package.json',
    'charts',
    'dist/licenses.txt',
    'docs/logtool.1',
    'legal',
    'package.json',
    'scenarios/shop.yaml',
    'ui',
  ]);
  expect(chunks.filter((path) => path.startsWith('dist/threads/'))).toHaveLength(2);
  // Each chunk is the entry, or another file loads it: none is left from an earlier build.
  const texts = await Promise.all(chunks.map((path) => readFile(join(packed, path), 'utf8')));
  const unused = chunks.filter(
    (path) =>
      path !== 'dist/start.cjs' && !texts.some((text) => text.includes(basename(path).replace(/\.cjs$/, ''))),
  );
  expect(unused).toEqual([]);
});

test('man finds the manual page that npm installs', async () => {
  const manual = join(home, 'share/man');
  const page = join(manual, 'man1/logtool.1');
  expect(await readFile(page, 'utf8')).toContain('.TH');
  const { stdout } = await run('man', ['-w', 'logtool'], { env: { ...process.env, MANPATH: manual } }).catch(
    (error: NodeJS.ErrnoException) => {
      // A slim container has no man; npm put the page into man's folder.
      if (error.code !== 'ENOENT') throw error;
      return { stdout: page };
    },
  );
  // man resolves npm's link.
  expect(stdout.trim()).toBe(await realpath(page));
});

test('the packed program shows its help', async () => {
  const { stdout } = await run(program, ['--help'], { cwd: home });
  expect(stdout).toContain('logtool logs');
});

test('the packed demo runs', async () => {
  const { stdout } = await run(program, ['demo', '--no-follow'], {
    cwd: home,
    maxBuffer: 2 ** 28,
  });
  expect(stdout.length).toBeGreaterThan(0);
});

test('npx runs the program in a clone', async () => {
  const { stdout } = await run('npx', ['logtool', '--version'], { cwd: ROOT });
  expect(stdout).toMatch(/\d+\.\d+\.\d+/);
});

test('the first use in a clone builds the program and prints nothing but its output', async () => {
  const clone = join(folder, 'clone');
  await cp(join(ROOT, 'bin'), join(clone, 'bin'), { recursive: true });
  await mkdir(join(clone, 'scripts/build'), { recursive: true });
  await writeFile(
    join(clone, 'scripts/build/build.mjs'),
    `import { mkdirSync, writeFileSync } from 'node:fs';
console.log('building');
mkdirSync(new URL('../../dist', import.meta.url));
writeFileSync(new URL('../../dist/start.cjs', import.meta.url), 'console.log(process.argv[2])');`,
  );
  const use = () => run(process.execPath, [join(clone, 'bin/logtool.js'), 'used']);
  expect(await use()).toEqual({ stdout: 'used\n', stderr: 'building\n' });
  expect(await use()).toEqual({ stdout: 'used\n', stderr: '' });
});

test('a build that fails on the first use is no success', async () => {
  const clone = join(folder, 'broken');
  await cp(join(ROOT, 'bin'), join(clone, 'bin'), { recursive: true });
  await mkdir(join(clone, 'scripts/build'), { recursive: true });
  await writeFile(join(clone, 'scripts/build/build.mjs'), 'process.exitCode = 3;');
  await expect(run(process.execPath, [join(clone, 'bin/logtool.js')])).rejects.toMatchObject({ code: 1 });
});

import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildUi } from '../../../scripts/build/build-ui.mjs';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logtool-ui-'));
  await buildUi(folder);
});
afterAll(() => rm(folder, { recursive: true }));

/** Returns the size of a file as sent, in bytes. */
async function sentBytes(name: string): Promise<number> {
  if (name.endsWith('.html')) return brotliCompressSync(await readFile(join(folder, name))).length;
  const compressed = name.endsWith('.woff2') ? name : `${name}.br`;
  return (await stat(join(folder, compressed))).size;
}

/**
 * Returns what the browser fetches for the home page: the files the page names, and the static imports of
 * those scripts.
 */
async function firstFiles(): Promise<Set<string>> {
  const found = new Set(['index.html']);
  for (const name of found) {
    if (!/\.(html|js)$/.test(name)) continue;
    const text = await readFile(join(folder, name), 'utf8');
    const pattern = name.endsWith('.html')
      ? /(?:src|href)="\.\/(assets\/[^"]+)"/g
      : /(?:\bfrom|\bimport)\s*["']\.\/([^"']+\.js)["']/g;
    for (const [, path = ''] of text.matchAll(pattern))
      found.add(path.startsWith('assets/') ? path : `assets/${path}`);
  }
  return found;
}

test('the first load is at most 200 KB, fonts included', async () => {
  const files = await firstFiles();
  expect([...files].filter((name) => name.endsWith('.woff2'))).toHaveLength(2);
  expect([...files].some((name) => name.endsWith('.css'))).toBe(true);
  let total = 0;
  for (const name of files) total += await sentBytes(name);
  // Excludes a page that loads nothing.
  expect(total).toBeGreaterThan(100_000);
  expect(total).toBeLessThanOrEqual(200_000);
});

test('the home page needs two scripts: its own, and React', async () => {
  const scripts = [...(await firstFiles())].filter((name) => name.endsWith('.js'));
  expect(scripts.map((name) => name.replace(/-[\w-]{8}\.js$/, '')).sort()).toEqual([
    'assets/index',
    'assets/react-dom',
  ]);
});

test('the console is not part of the first load', async () => {
  const names = await readdir(join(folder, 'assets'));
  const console = names.filter((name) => /^console-[^.]+\.js$/.test(name));
  expect(console).toHaveLength(1);
  expect([...(await firstFiles())]).not.toContain(`assets/${console[0]}`);
});

test('neither schemas nor their library are in the page', async () => {
  for (const name of await readdir(join(folder, 'assets'))) {
    if (!name.endsWith('.js')) continue;
    const text = await readFile(join(folder, 'assets', name), 'utf8');
    expect(text.includes('ZodError') || text.includes('openapi'), name).toBe(false);
  }
});

test('every script, style sheet and image has its compressed form, which is the same', async () => {
  const names = (await readdir(folder, { recursive: true })).filter((name) =>
    /\.(js|css|svg|txt)$/.test(name),
  );
  expect(names.length).toBeGreaterThan(3);
  for (const name of names) {
    const compressed = await readFile(join(folder, `${name}.br`));
    expect(brotliDecompressSync(compressed).equals(await readFile(join(folder, name))), name).toBe(true);
  }
});

test('the page has no script or style of its own, and names its files relative to itself', async () => {
  const page = await readFile(join(folder, 'index.html'), 'utf8');
  expect(page).not.toMatch(/<style|<script(?![^>]*\bsrc=)|\sstyle=|\son\w+=/);
  for (const [, address] of page.matchAll(/(?:src|href)="([^"]+)"/g))
    expect(address).toMatch(/^\.\/assets\/.+-[\w-]{8}\.\w+$/);
  expect(page).toContain('<meta name="logtool-token" content="" />');
  expect(page).toContain('<meta name="logtool-base" content="" />');
});

test('the licenses of what the page holds are beside it', async () => {
  const text = await readFile(join(folder, 'licenses.txt'), 'utf8');
  for (const name of [
    'react ',
    'react-dom ',
    '@tanstack/react-router ',
    '@fontsource/ibm-plex-mono ',
    // In the log worker, which has a separate build.
    're2js ',
  ]) {
    expect(text).toMatch(new RegExp(`^${name}\\d`, 'm'));
  }
  for (const section of text.split('\n----\n\n')) expect(section).toMatch(/copyright/i);
});

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { sleep, systemClock } from '@logtool/kube/src/values/clock.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const FOLDER = join(ROOT, '.cache', 'page');
/** Sources of the page. */
const SELECTORS = [
  'packages/logtool/src/ui',
  'packages/logtool/src/contract',
  'packages/logtool/src/domain',
  'packages/logtool/src/messages',
  'packages/kube/src/values',
  'scripts/build/page-config.mjs',
  'scripts/build/build-ui.mjs',
  'package-lock.json',
];
const KEPT_MS = 3_600_000;
const POLL_MS = 100;

/** Returns a folder with the page as shipped, built once from the current sources for all test files. */
export async function builtPage(): Promise<string> {
  await mkdir(FOLDER, { recursive: true });
  const folder = join(FOLDER, await digest());
  const lock = `${folder}.lock`;
  for (;;) {
    if (await exists(join(folder, 'index.html'))) return folder;
    const held = await take(lock);
    if (held) break;
    // Another test file, in another process, is building it.
    await sleep(systemClock, POLL_MS);
  }
  try {
    if (!(await exists(join(folder, 'index.html')))) await build(folder);
    await forgetOld(folder);
  } finally {
    await rm(lock, { force: true });
  }
  return folder;
}

async function digest(): Promise<string> {
  const hash = createHash('sha256');
  for (const selector of SELECTORS) {
    const path = join(ROOT, selector);
    const files = (await stat(path)).isFile()
      ? [path]
      : (await readdir(path, { recursive: true, withFileTypes: true }))
          .filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
          .map((entry) => join(entry.parentPath, entry.name))
          .sort();
    for (const file of files) hash.update(relative(ROOT, file)).update(await readFile(file));
  }
  return hash.digest('hex').slice(0, 16);
}

/** Builds in a separate process: vite inside vitest would build for tests. */
async function build(folder: string): Promise<void> {
  const draft = `${folder}.${process.pid}`;
  const script = `import(${JSON.stringify(join(ROOT, 'scripts/build/build-ui.mjs'))}).then((m) => m.buildUi(${JSON.stringify(draft)}))`;
  const child = spawn(process.execPath, ['-e', script], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, NODE_ENV: 'production', VITEST: undefined },
  });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const code = await new Promise((done) => child.once('close', done));
  if (code !== 0) {
    await rm(draft, { recursive: true, force: true });
    throw new Error(`the page cannot be built:\n${errors}`);
  }
  await rename(draft, folder);
}

/** Acquires the lock; true on success. Removes a lock whose owner has exited. */
async function take(lock: string): Promise<boolean> {
  try {
    const file = await open(lock, 'wx');
    await file.writeFile(String(process.pid));
    await file.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const owner = Number(await readFile(lock, 'utf8').catch(() => ''));
  if (owner > 0 && !isAlive(owner)) await rm(lock, { force: true });
  return false;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function forgetOld(kept: string): Promise<void> {
  for (const name of await readdir(FOLDER)) {
    const path = join(FOLDER, name);
    const age =
      Date.now() -
      (await stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => Date.now(),
      ));
    if (path !== kept && age > KEPT_MS) await rm(path, { recursive: true, force: true });
  }
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

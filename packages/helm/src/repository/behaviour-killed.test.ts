import { spawn } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { helm } from '../../../../test/support/oracles/helm.ts';
import { type Home, makeHome } from '../../test/support/home.ts';
import { repositoryFiles, startRepository } from '../../test/support/repository-server.ts';

let folder: string;
let program: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logtool-killed-'));
  program = join(folder, 'killed.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, '../../test/support/killed.ts')],
    outfile: program,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Resolves to how the program ended: killed at that change, or done. */
function runUntil(change: number, home: Home, url: string, action: string): Promise<'killed' | 'done'> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, home.path, url, String(change), action], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      if (signal === 'SIGKILL') resolve('killed');
      else if (code === 0) resolve('done');
      else reject(new Error(`it ended with ${code ?? signal}`));
    });
  });
}

const textOf = (path: string) => readFile(path, 'utf8').catch(() => undefined);

/** A clock more than a minute ahead: the leftovers of a killed program are old enough then. */
const later = {
  now: () => Date.now() + 120_000,
  steady: () => performance.now(),
  after: (delayMs: number, callback: () => void) => {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};

it.each([
  ['add', 10],
  ['remove', 7],
])(
  'leaves no file half-written, whenever it is killed in %s, and works afterwards',
  async (action, least) => {
    const files = repositoryFiles('logtool', ['1.0.0']);
    await using server = await startRepository(files);
    await using home = await makeHome();
    await home.repositories.add({ name: 'other', url: server.url, username: 'ada', password: 's3cret' });
    const otherOnly = await readFile(home.config, 'utf8');
    await home.repositories.add({ name: 'logtool', url: server.url });
    const both = await readFile(home.config, 'utf8');
    if (action === 'add') await home.repositories.remove('logtool');
    const start = join(folder, `start-${action}`);
    await cp(home.path, start, { recursive: true });

    let kills = 0;
    for (;;) {
      const end = await runUntil(kills + 1, home, server.url, action);
      expect([otherOnly, both]).toContain(await textOf(home.config));
      expect([undefined, files['/index.yaml']]).toContain(
        await textOf(join(home.cache, 'logtool-index.yaml')),
      );
      expect([undefined, 'logtool\n']).toContain(await textOf(join(home.cache, 'logtool-charts.txt')));
      if (end === 'done') break;
      kills++;
      await repair(home, server.url, action);
      expect(await readFile(home.config, 'utf8')).toBe(action === 'add' ? both : otherOnly);
      expect(await leftovers(home)).toEqual([]);
      await rm(home.path, { recursive: true });
      await cp(start, home.path, { recursive: true });
    }
    expect(kills).toBeGreaterThanOrEqual(least);
    expect(await readFile(home.config, 'utf8')).toBe(action === 'add' ? both : otherOnly);
    expect((await helm('4.1.4', ['repo', 'list'], { home: home.path })).exitCode).toBe(0);
  },
);

/** Repeats the action with a program that is not killed. */
async function repair(home: Home, url: string, action: string): Promise<void> {
  const repositories = home.open({ clock: later });
  if (action === 'add') {
    await repositories.add({ name: 'logtool', url });
    await repositories.update('logtool');
    // The next change removes the leftovers.
    await repositories.add({ name: 'third', url });
    await repositories.remove('third');
  } else {
    const exists = (await repositories.list()).some(({ name }) => name === 'logtool');
    if (!exists) await repositories.add({ name: 'logtool', url });
    await repositories.remove('logtool');
  }
}

async function leftovers(home: Home): Promise<readonly string[]> {
  const names = [...(await readdir(join(home.config, '..'))), ...(await readdir(home.cache))];
  return names.filter((name) => name.includes('.logtool-') || name.endsWith('.tmp'));
}

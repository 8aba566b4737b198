import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { stagePackage } from '../../../scripts/release/pack-package.mjs';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../../..');

/** Packages of this repository as another project would install them, without the rest of the repository. */
export interface InstalledPackages {
  readonly folder: string;
  /** Runs a program there, and returns its stdout. Throws its stderr if it fails. */
  run(program: string): Promise<string>;
  /** Checks a program with TypeScript's strict rules; returns the errors, empty if there are none. */
  check(program: string): Promise<string>;
  close(): Promise<void>;
}

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/**
 * Packs packages and installs them in an empty folder as the README of the last one says, without a network: their
 * dependencies come from the repository's `node_modules`, packed as well.
 */
export async function installPacked(...names: readonly string[]): Promise<InstalledPackages> {
  const home = await mkdtemp(join(tmpdir(), 'logtool-packed-'));
  const folder = join(home, 'project');
  await mkdir(folder);
  const dependencies: Record<string, string> = {};
  const overrides: Record<string, Record<string, string>> = {};
  for (const name of names) {
    const staged = join(home, 'staged', name);
    stagePackage(name, staged);
    dependencies[`@logtool/${name}`] = `file:${staged}`;
    await addDependencies(dependencies, overrides, staged);
  }
  const manifest = { name: 'somebody-elses', private: true, type: 'module', dependencies, overrides };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  const quiet = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', ['install', ...(await readmeOptions(names.at(-1) ?? '')), ...quiet], { cwd: folder });
  return {
    folder,
    async run(program) {
      const path = join(folder, 'example.mjs');
      await writeFile(path, program);
      return (await run(process.execPath, [path], { cwd: folder })).stdout;
    },

    async check(program) {
      await writeFile(join(folder, 'example.mts'), program);
      const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
      const types = ['--typeRoots', join(ROOT, 'node_modules/@types'), '--types', 'node'];
      const rules = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', ...types];
      try {
        return (await run(process.execPath, [tsc, ...rules, 'example.mts'], { cwd: folder })).stdout;
      } catch (error) {
        return (error as { readonly stdout: string }).stdout;
      }
    },
    close: () => rm(home, { recursive: true, force: true }),
  };
}

/**
 * Adds a package's external dependencies, and their dependencies. If a package has its own version of one
 * that differs from the repository's, that version overrides it.
 */
async function addDependencies(
  found: Record<string, string>,
  overrides: Record<string, Record<string, string>>,
  folder: string,
): Promise<void> {
  const manifest: Manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  for (const name of Object.keys(manifest.dependencies ?? {})) {
    const nested = join(folder, 'node_modules', name);
    if (existsSync(nested))
      overrides[manifest.name] = { ...overrides[manifest.name], [name]: `file:${nested}` };
    if (existsSync(nested) || name in found || name.startsWith('@logtool/')) continue;
    const own = join(ROOT, 'node_modules', name);
    found[name] = `file:${own}`;
    await addDependencies(found, overrides, own);
  }
}

/** Returns the options of the command in a README that installs the packages made from a clone. */
async function readmeOptions(name: string): Promise<readonly string[]> {
  const text = await readFile(join(ROOT, 'packages', name, 'README.md'), 'utf8');
  const options = /`npm install ((?:--\S+ )*)PATH\/out\/packages\//.exec(text)?.[1];
  if (options === undefined) throw new Error(`the README of ${name} has no command that installs it`);
  return options.trim().split(' ').filter(Boolean);
}

/** Returns the examples of a README in one language: `js` for those that a test runs. */
export async function readmeExamples(name: string, language: string): Promise<readonly string[]> {
  const text = await readFile(join(ROOT, 'packages', name, 'README.md'), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, code = '']) => code,
  );
}

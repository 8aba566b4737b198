import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../../..');

/** An entry of a lock file: what npm compares with the machine before it unpacks a package. */
interface Locked {
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

interface Machine {
  readonly os: string;
  readonly cpu: string;
  readonly libc?: string;
}

/** Machines on which people build logtool. */
const MACHINES: readonly Machine[] = [
  { os: 'linux', cpu: 'x64', libc: 'glibc' },
  { os: 'linux', cpu: 'x64', libc: 'musl' },
  { os: 'linux', cpu: 'arm64', libc: 'glibc' },
  { os: 'linux', cpu: 'arm64', libc: 'musl' },
  { os: 'darwin', cpu: 'x64' },
  { os: 'darwin', cpu: 'arm64' },
  { os: 'win32', cpu: 'x64' },
];

/** Families without a binding for some machines, and why those machines need none. */
const INCOMPLETE: Readonly<Record<string, string>> = {
  vite: 'fsevents watches files on macOS; other systems need no package for that',
};

const LOCK_FILES = ['package-lock.json'];

describe.each(LOCK_FILES)('%s', (path) => {
  const packages: Readonly<Record<string, Locked>> = JSON.parse(
    readFileSync(join(ROOT, path), 'utf8'),
  ).packages;
  const families = Object.entries(packages).filter(([, { optionalDependencies }]) => optionalDependencies);

  test.each(families)(
    'has every optional package of %s, without which npm ci refuses the file',
    (home, family) => {
      const missing = Object.keys(family.optionalDependencies ?? {}).filter(
        (name) => !find(packages, home, name),
      );
      expect(missing).toEqual([]);
    },
  );

  test.each(families.filter(([home]) => !(nameOf(home) in INCOMPLETE)))(
    'has a binding of %s for every machine on which people build',
    (home, family) => {
      const bindings = Object.keys(family.optionalDependencies ?? {}).flatMap(
        (name) => find(packages, home, name) ?? [],
      );
      const without = MACHINES.filter((machine) => !bindings.some((binding) => fits(binding, machine)));
      expect(without).toEqual([]);
    },
  );

  test('knows the families whose bindings npm chooses by machine', () => {
    expect(families.length).toBeGreaterThan(0);
  });
});

/** Returns the locked package that Node resolves for `name` from the package at `home`. */
function find(packages: Readonly<Record<string, Locked>>, home: string, name: string): Locked | undefined {
  for (let folder = home; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const found = packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`];
    if (found !== undefined || folder === '') return found;
  }
}

/** A package without a libc entry runs with both. */
function fits(binding: Locked, { os, cpu, libc }: Machine): boolean {
  const allows = (list: readonly string[] | undefined, value: string | undefined) =>
    list === undefined || value === undefined || list.includes(value);
  return allows(binding.os, os) && allows(binding.cpu, cpu) && allows(binding.libc, libc);
}

function nameOf(home: string): string {
  return home.slice(home.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planBinaries } from '../../../scripts/binary/binary-plan.mjs';
import { findTarget, hostTarget, TARGETS } from '../../../scripts/binary/binary-targets.mjs';

function host(platform: NodeJS.Platform, arch: NodeJS.Architecture, glibcVersionRuntime?: string) {
  const report = {
    getReport: () => ({ header: { glibcVersionRuntime } }),
  } as unknown as NodeJS.ProcessReport;
  return { platform, arch, report };
}

const plan = (args: readonly string[], from = host('linux', 'x64', '2.36')) =>
  planBinaries(args, 'out', from);
const paths = (args: readonly string[]) => plan(args).executables.map(({ path }) => path);

test('without arguments the executable is for this machine, as out/logtool, with a checksum', () => {
  const { executables, sums, archiveFolder } = plan([]);
  expect(executables).toEqual([{ target: findTarget('linux-x64'), path: join('out', 'logtool') }]);
  expect(sums).toBe(join('out', 'SHA256SUMS'));
  expect(archiveFolder).toBeUndefined();
  expect(plan([], host('win32', 'arm64')).executables[0]?.path).toBe(join('out', 'logtool.exe'));
});

test('Linux, macOS and Windows have a target for each processor', () => {
  const needed = ['linux', 'darwin', 'windows'].flatMap((system) => [`${system}-x64`, `${system}-arm64`]);
  expect(TARGETS.map(({ name }) => name)).toEqual(expect.arrayContaining(needed));
});

test('--all makes every target beside its archive; --target makes those that it names, once', () => {
  expect(paths(['--all'])).toEqual(
    TARGETS.map(({ name }) =>
      join('out/binaries', `logtool-${name}${name.startsWith('windows') ? '.exe' : ''}`),
    ),
  );
  expect(paths(['--target', 'linux-arm64', '--target=windows-x64', '--target=linux-arm64'])).toEqual([
    join('out/binaries/logtool-linux-arm64'),
    join('out/binaries/logtool-windows-x64.exe'),
  ]);
  expect(plan(['--all']).sums).toBe(join('out/binaries/SHA256SUMS'));
});

test('--outfile names the place of one executable', () => {
  expect(paths(['--outfile=/x/y'])).toEqual(['/x/y']);
  expect(paths(['--outfile=/x/y', '--target=darwin-arm64'])).toEqual(['/x/y']);
  expect(() => paths(['--outfile=/x', '--all'])).toThrow('--outfile is for one target');
});

test('arguments that make no sense are refused', () => {
  expect(() => plan(['--all', '--target=linux-x64'])).toThrow('exclude each other');
  expect(() => plan(['--target=linux-riscv64'])).toThrow(
    /linux-riscv64: Bun .* has runtimes for linux-x64, /,
  );
  expect(() => plan(['--arch=x64'])).toThrow('--arch');
});

test('the target of this machine follows from its system, processor and C library', () => {
  const name = (...of: Parameters<typeof host>) => hostTarget(host(...of)).name;
  expect(name('linux', 'x64', '2.36')).toBe('linux-x64');
  expect(name('linux', 'arm64')).toBe('linux-arm64-musl');
  expect(name('darwin', 'arm64')).toBe('darwin-arm64');
  expect(name('win32', 'x64')).toBe('windows-x64');
  expect(() => name('freebsd', 'x64')).toThrow('freebsd-x64');
});

test('no two targets share a runtime or a digest', () => {
  expect(new Set(TARGETS.map(({ runtime }) => runtime)).size).toBe(TARGETS.length);
  expect(new Set(TARGETS.map(({ integrity }) => integrity)).size).toBe(TARGETS.length);
  for (const { integrity } of TARGETS) expect(integrity).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/);
});

// Builds self-contained executables of the command line; `npm run build:binary -- --help` lists them.
//
// Bun compiles them. Comparison with Node's own way (SEA, Node 20 with its code cache), in turn, in CPU time, median of
// 25 runs: `--version` 11 ms with Bun, 83 ms with SEA (`node -e 0`: 63 ms); the last 10 lines of a pod 38 and 131 ms;
// files of 124 and 102 MB; memory of `--version` 36 and 63 MB.
//
// Bun's HTTP/2 client (1.4.5) is faster but loses data: of a hundred responses of 1.6 MB, read in pieces with a pause
// of up to 20 ms after each, 81 to 95 ended early without an error (`pause()`, `resume()`), or 14 to 19 (`read()`);
// Node delivered all of them completely. `setLocalWindowSize()` stops its streams altogether (oven-sh/bun, pull
// requests 40180 and 41942).
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { writeTarGz, writeZip } from '../release/write-archive.mjs';
import { planBinaries } from './binary-plan.mjs';
import { archiveName, BUN, TARGETS } from './binary-targets.mjs';
import { bundleBinary } from './bundle-binary.mjs';
import { readExecutableHeader } from './executable-header.mjs';
import { findBun } from './find-bun.mjs';
import { signMachO } from './sign-mach-o.mjs';

const root = join(import.meta.dirname, '../..');
/** Files in the archives, beside the executable. */
const COMPANIONS = ['LICENSE', 'README.md', 'docs/logtool.1'];

const plan = planBinaries(process.argv.slice(2), join(root, 'out'));
if (plan.help) console.log(helpText());
else await makeBinaries(plan);

async function makeBinaries({ version, executables, archiveFolder, sums }) {
  const entries = await bundleBinary(version ?? JSON.parse(read('package.json')).version);
  if (archiveFolder !== undefined) rmSync(archiveFolder, { recursive: true, force: true });
  const made = [];
  for (const { target, path } of executables) {
    compile(entries, target, path);
    if (target.name === 'darwin-x64') writeFileSync(path, signMachO(readFileSync(path), 'logtool'));
    const contents = readFileSync(path);
    checkHeader(contents, target);
    made.push({ path, contents });
    if (archiveFolder === undefined) continue;
    const archive = join(archiveFolder, archiveName(target));
    const packed = pack(contents, target);
    writeFileSync(archive, packed);
    made.push({ path: archive, contents: packed });
  }
  for (const { path, contents } of made)
    console.log(`${relative(process.cwd(), path)}, ${(contents.length / 1e6).toFixed(0)} MB`);
  if (sums === undefined) return;
  writeFileSync(sums, made.map(({ path, contents }) => sumLine(path, contents)).join(''));
  console.log(relative(process.cwd(), sums));
}

/**
 * Compiles an executable. It contains the name of the compiled file, so that name is always the same: the same source
 * gives the same bytes.
 */
function compile(entries, target, path) {
  const compiled = join(dirname(entries[0]), 'compiled', target.format === 'PE' ? 'logtool.exe' : 'logtool');
  mkdirSync(dirname(compiled), { recursive: true });
  const { status, error } = spawnSync(
    findBun(),
    [
      'build',
      '--compile',
      '--minify',
      '--bytecode',
      '--splitting',
      '--format=esm',
      // Most commands end before compiled code pays for its compilation; a long one reaches it soon anyway.
      '--compile-jit-policy=30',
      // The program must ignore .env and bunfig.toml in the folder where a user starts it.
      '--no-compile-autoload-dotenv',
      '--no-compile-autoload-bunfig',
      `--target=${target.runtime}`,
      `--compile-executable-path=${findBun(target)}`,
      `--outfile=${compiled}`,
      ...entries,
    ],
    { stdio: ['ignore', 'ignore', 'inherit'], cwd: root },
  );
  if (status !== 0) throw new Error(`Bun could not compile for ${target.name}`, { cause: error });
  mkdirSync(dirname(resolve(path)), { recursive: true });
  rmSync(path, { force: true });
  renameAcross(compiled, path);
}

/** Detects a cross-compiler that ignores its target: its file would run only here. */
function checkHeader(contents, { name, format, machine }) {
  const header = readExecutableHeader(contents.subarray(0, 4096));
  if (header?.format === format && header.machine === machine) return;
  throw new Error(`the executable for ${name} is ${JSON.stringify(header)}, not ${format} for ${machine}`);
}

function pack(contents, target) {
  const program = target.format === 'PE' ? 'logtool.exe' : 'logtool';
  const companions = COMPANIONS.map((path) => ({
    name: basename(path),
    mode: 0o644,
    contents: readFileSync(join(root, path)),
  }));
  const files = [{ name: program, mode: 0o755, contents }, ...companions];
  return target.format === 'PE' ? writeZip(files) : writeTarGz(files);
}

/** Returns a line for `sha256sum -c`. */
function sumLine(path, contents) {
  return `${createHash('sha256').update(contents).digest('hex')}  ${basename(path)}\n`;
}

/** Renames a file, or copies it: the target may be on another disk than the cache, where a rename fails. */
function renameAcross(from, to) {
  try {
    renameSync(from, to);
  } catch (error) {
    if (error.code !== 'EXDEV') throw error;
    writeFileSync(to, readFileSync(from));
    chmodSync(to, 0o755);
    rmSync(from);
  }
}

function read(path) {
  return readFileSync(join(root, path), 'utf8');
}

function helpText() {
  return `Makes logtool as one executable that needs no Node.

npm run build:binary                              out/logtool, for this machine
npm run build:binary -- --target NAME             out/binaries/logtool-NAME and its archive; may be repeated
npm run build:binary -- --all                     the same for every target
npm run build:binary -- --outfile FILE            another place, for one target or this machine

Each run into out/binaries empties it first and ends with SHA256SUMS: sha256sum -c SHA256SUMS.
The runtimes are those of Bun ${BUN}, from npm, fetched once into .cache/bun (about 100 MB each).

Targets: ${TARGETS.map(({ name }) => name).join(', ')}
Bun has no runtime for other systems or processors. The musl targets are for Alpine Linux.`;
}

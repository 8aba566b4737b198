import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';

const LIST = '.files.json';
const DAY_MS = 86_400_000;

/**
 * Writes the files of a build into `folder` while programs of earlier builds run from there: such a program loads more
 * chunks on demand. The names of chunks contain a hash of their content, so several builds coexist. A file that the new
 * build no longer has stays for `keepMs` from that moment on; then a later build removes it. Each file appears
 * completely (written elsewhere, then renamed), entry points after their imports.
 *
 * @param {string} folder
 *
 * @param {ReadonlyMap<string, Uint8Array | string>} files paths below the folder to contents
 *
 * @param {{ entries: readonly string[], keepMs?: number, nowMs?: number }} options
 */
export function publishBuild(folder, files, { entries, keepMs = DAY_MS, nowMs = Date.now() }) {
  mkdirSync(folder, { recursive: true });
  const present = filesBelow(folder);
  const before = filesOfLastBuild(folder) ?? present;
  const others = [...files.keys()].filter((name) => !entries.includes(name));
  for (const name of [...others, ...entries]) publish(join(folder, name), files.get(name));
  publish(join(folder, LIST), JSON.stringify([...files.keys()]));
  for (const name of present) {
    if (files.has(name) || name === LIST) continue;
    const path = join(folder, name);
    try {
      // Its time starts now: it may be old, but in use until now.
      if (before.includes(name)) utimesSync(path, nowMs / 1000, nowMs / 1000);
      if (nowMs - statSync(path).mtimeMs >= keepMs) rmSync(path);
    } catch (error) {
      // A concurrent build removed or renamed it.
      if (error.code !== 'ENOENT') throw error;
    }
  }
}

/**
 * Whether `folder` has no build, or one of the sources (files, or folders with everything below them) has changed since
 * the build.
 *
 * @param {string} folder
 * @param {readonly string[]} sources
 */
export function isStale(folder, sources) {
  const builtMs = statSync(join(folder, LIST), { throwIfNoEntry: false })?.mtimeMs;
  if (builtMs === undefined) return true;
  // A folder's time changes when an entry is removed or renamed.
  return sources
    .flatMap((path) =>
      statSync(path).isDirectory()
        ? [path, ...readdirSync(path, { recursive: true }).map((name) => join(path, name))]
        : [path],
    )
    .some((path) => statSync(path).mtimeMs > builtMs);
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

/** Returns undefined without a list: the folder predates lists. */
function filesOfLastBuild(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, LIST), 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function publish(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, content);
  renameSync(temporary, path);
}

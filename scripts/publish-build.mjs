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
 * Puts the files of a build into `folder` while programs of earlier builds run from there: such a program
 * loads further chunks when it needs them. The names of chunks hold a hash of their content, so those of
 * several builds live side by side. A file that the new build no longer has stays for `keepMs` from that
 * moment on; expired ones are removed. Each file appears whole (written elsewhere, renamed), entry points
 * after their imports.
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
      // Its time counts from now: it may have been built long ago, and have been in use until now.
      if (before.includes(name)) utimesSync(path, nowMs / 1000, nowMs / 1000);
      if (nowMs - statSync(path).mtimeMs >= keepMs) rmSync(path);
    } catch (error) {
      // Another build at the same time removed or renamed it.
      if (error.code !== 'ENOENT') throw error;
    }
  }
}

/**
 * Whether there is no build in `folder`, or one of the sources (files, or folders with all that is below them) has
 * changed since it was placed there.
 *
 * @param {string} folder
 * @param {readonly string[]} sources
 */
export function isStale(folder, sources) {
  const builtMs = statSync(join(folder, LIST), { throwIfNoEntry: false })?.mtimeMs;
  if (builtMs === undefined) return true;
  // A folder changes when an entry of it is removed or renamed.
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

/** Undefined without a list: a folder from before lists existed. */
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

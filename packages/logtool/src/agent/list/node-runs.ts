import { type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { type FileFacts, type RunFacts, runKey } from '../../agent-api/runs/run-facts.ts';
import { filesOfRun, newestName, rotatedName, runsIn } from '../../backend/run-files.ts';
import { LocalFolder } from '../files/local-folder.ts';
import { firstStamp } from './first-stamp.ts';
import type { Counted } from './minute-counts.ts';
import { type FileToCount, RunActivity } from './run-activity.ts';

/** The names in a folder when they were last listed. */
interface Listed {
  readonly mtimeMs: number;
  readonly names: readonly string[];
}

/** A file as it was last seen. A compressed one changes no more. */
interface SeenFile {
  readonly ino: number;
  readonly bytes: number;
  readonly mtimeMs: number;
  readonly firstTime: string | null;
}

/** What one scan has found. */
interface Seen {
  readonly files: Map<string, SeenFile>;
  readonly folders: Set<string>;
}

type RunId = Pick<RunFacts, 'namespace' | 'pod' | 'podUid' | 'container' | 'run'>;

const EVERY_MS = 1000;
/** A folder that changed so shortly before it was listed may have changed again without a new time. */
const SETTLED_MS = 100;
/** Namespaces and names of pods have no underscore. */
const POD_FOLDER = /^([^_]+)_([^_]+)_([^_]+)$/;

/**
 * What a node has of all runs. It scans once a second at most, whoever asks: the sizes of the newest files, and
 * folders only if they have changed. Sizes and names are read by their paths; a file is opened, for its first stamp, as
 * LocalFolder opens it.
 */
export class NodeRuns {
  readonly #root: string;
  readonly #clock: Clock;
  readonly #activity: RunActivity | undefined;
  readonly #folders = new Map<string, Listed>();
  #files = new Map<string, SeenFile>();
  #runs: ReadonlyMap<string, RunFacts> = new Map();
  #scanned: { readonly atMs: number; readonly runs: Promise<ReadonlyMap<string, RunFacts>> } | undefined;

  /** `root`: the folder in which the kubelet keeps logs. `counted`: what is counted of lines as they are written. */
  constructor(root: string, clock: Clock, counted?: Counted) {
    this.#activity = counted === undefined ? undefined : new RunActivity(counted);
    this.#root = root;
    this.#clock = clock;
  }

  /** Returns all runs by their keys, not older than a second. A run that has not changed is the same object. */
  current(): Promise<ReadonlyMap<string, RunFacts>> {
    const nowMs = this.#clock.steady();
    if (this.#scanned === undefined || nowMs - this.#scanned.atMs >= EVERY_MS) {
      const runs = this.#scan();
      this.#scanned = { atMs: nowMs, runs };
      runs.catch(() => {
        this.#scanned = undefined;
      });
    }
    return this.#scanned.runs;
  }

  async #scan(): Promise<ReadonlyMap<string, RunFacts>> {
    const found = new Map<string, RunFacts>();
    const seen: Seen = { files: new Map(), folders: new Set() };
    for (const podFolder of this.#foldersIn([], seen)) {
      const [, namespace = '', pod = '', podUid = ''] = POD_FOLDER.exec(podFolder) ?? [];
      if (podUid === '') continue;
      for (const container of this.#foldersIn([podFolder], seen)) {
        const id = { namespace, pod, podUid, container };
        for (const facts of await this.#runsOf(id, podFolder, seen)) found.set(runKey(facts), facts);
      }
    }
    for (const path of this.#folders.keys()) if (!seen.folders.has(path)) this.#folders.delete(path);
    this.#files = seen.files;
    this.#runs = found;
    this.#activity?.keep(found);
    return found;
  }

  async #runsOf(id: Omit<RunId, 'run'>, podFolder: string, seen: Seen): Promise<readonly RunFacts[]> {
    const path = [podFolder, id.container];
    const names = this.#namesIn(path, seen, isFile);
    const runs = runsIn(names).map((run) => this.#factsOf({ ...id, run }, path, names, seen));
    return (await Promise.all(runs)).filter((facts) => facts !== undefined);
  }

  #foldersIn(path: readonly string[], seen: Seen): readonly string[] {
    return this.#namesIn(path, seen, isFolder);
  }

  /** Lists a folder again only if it has changed. */
  #namesIn(path: readonly string[], seen: Seen, is: (entry: Dirent) => boolean): readonly string[] {
    const folder = join(this.#root, ...path);
    seen.folders.add(folder);
    const stats = statsOf(folder);
    if (stats === undefined || (path.length > 0 && !stats.isDirectory())) return [];
    const { mtimeMs } = stats;
    const known = this.#folders.get(folder);
    if (known?.mtimeMs === mtimeMs) return known.names;
    const names = entriesOf(folder)
      .filter(is)
      .map(({ name }) => name);
    if (Date.now() - mtimeMs > SETTLED_MS) this.#folders.set(folder, { mtimeMs, names });
    else this.#folders.delete(folder);
    return names;
  }

  async #factsOf(
    id: RunId,
    path: readonly string[],
    names: readonly string[],
    seen: Seen,
  ): Promise<RunFacts | undefined> {
    const { rotated, hasNewest } = filesOfRun(names, id.run);
    const wanted = rotated.map((file) => ({
      name: rotatedName(id.run, file),
      compressed: file.isCompressed,
    }));
    if (hasNewest) wanted.push({ name: newestName(id.run), compressed: false });
    const facts: FileFacts[] = [];
    const counting: FileToCount[] = [];
    let lastMs = 0;
    for (const { name, compressed } of wanted) {
      const file = await this.#see(path, name, compressed);
      if (file === undefined) continue;
      seen.files.set(join(...path, name), file);
      counting.push({ name, ino: file.ino, bytes: file.bytes, isCompressed: compressed });
      facts.push({ name, bytes: file.bytes, compressed, firstTime: file.firstTime });
      // The time of a compressed file is that of its compression.
      if (!compressed || lastMs === 0) lastMs = file.mtimeMs;
    }
    if (facts.length === 0) return undefined;
    const counted = await this.#activity?.read(
      runKey(id),
      counting,
      new LocalFolder(this.#root, path, NEVER),
    );
    const activity = counted === undefined ? {} : { activity: counted };
    const now = { ...id, files: facts, lastTime: new Date(lastMs).toISOString(), ...activity };
    const before = this.#runs.get(runKey(now));
    return before !== undefined && JSON.stringify(before) === JSON.stringify(now) ? before : now;
  }

  async #see(path: readonly string[], name: string, isCompressed: boolean): Promise<SeenFile | undefined> {
    const known = this.#files.get(join(...path, name));
    if (known !== undefined && isCompressed) return known;
    const stats = statsOf(join(this.#root, ...path, name));
    if (stats === undefined || !stats.isFile()) return undefined;
    const { ino, size: bytes, mtimeMs } = stats;
    const isSame = known?.ino === ino && known.firstTime !== null;
    const folder = new LocalFolder(this.#root, path, NEVER);
    const firstTime = isSame ? known.firstTime : await firstStamp(folder, name, isCompressed);
    return { ino, bytes, mtimeMs, firstTime };
  }
}

const NEVER = new AbortController().signal;
const isFolder = (entry: Dirent) => entry.isDirectory();
const isFile = (entry: Dirent) => entry.isFile();

/** Undefined: it is gone. */
function statsOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    // It was removed meanwhile.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

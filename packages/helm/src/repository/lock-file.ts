import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { type Attempt, retry } from '@logtool/kube/src/values/retry.ts';
import { helmFailure } from '../failures.ts';
import type { RepositoryFiles } from './atomic-file.ts';

/** The time that Helm waits for its own lock. */
const WAIT_LIMIT_MS = 30_000;
const LOCK_POLICY = { waitsMs: [100], limitMs: WAIT_LIMIT_MS } as const;
/** A lock covers one read and one write: after this time, its process or machine must be gone. */
const STALE_MS = 60_000;
/** Allowed time between creating the lock and writing its owner into it. */
const UNFINISHED_MS = 2000;

export interface LockOptions {
  readonly files: RepositoryFiles;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs `change` while no other logtool changes the file: creates a lock file beside it, which only one process can.
 * Helm locks with flock(2), which Node lacks: neither program sees the other's lock. Against Helm, only the comparison
 * right before replacing the file (edit-file.ts) helps.
 * @throws CodedError `repositories-locked` after 30 s
 */
export async function withLock<Result>(
  path: string,
  options: LockOptions,
  change: () => Promise<Result>,
): Promise<Result> {
  const { files, clock, signal } = options;
  const lock = `${path}.logtool-lock`;
  const own = JSON.stringify({ pid: process.pid, host: hostname(), id: randomUUID() });
  const attempt = async (): Promise<Attempt<boolean>> => {
    while (!(await take(files, lock, own)))
      if (!(await breakStale(files, lock, clock.now()))) return { state: 'pending', value: false };
    return { state: 'done', value: true };
  };
  if (!(await retry(LOCK_POLICY, attempt, { clock, signal })))
    throw helmFailure('repositories-locked', { file: path, lock, waitedMs: WAIT_LIMIT_MS });
  try {
    return await change();
  } finally {
    if ((await contentOf(files, lock)) === own) await files.rm(lock, { force: true });
  }
}

async function take(files: RepositoryFiles, lock: string, own: string): Promise<boolean> {
  try {
    await files.writeFile(lock, own, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Removes the lock of a program that is gone. Renames it first, so that only one of two concurrent programs succeeds.
 */
async function breakStale(files: RepositoryFiles, lock: string, nowMs: number): Promise<boolean> {
  const held = await contentOf(files, lock);
  if (held === undefined) return true;
  const changedMs = (await files.stat(lock).catch(() => undefined))?.mtimeMs ?? nowMs;
  const holder = stateOf(held);
  const limitMs = holder === 'unfinished' ? UNFINISHED_MS : STALE_MS;
  if (holder !== 'gone' && nowMs - changedMs <= limitMs) return false;
  const aside = `${lock}-${randomUUID()}`;
  try {
    await files.rename(lock, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true;
    throw error;
  }
  // Another program created a lock meanwhile and still holds it: restore it.
  if ((await contentOf(files, aside)) !== held) await files.link(aside, lock).catch(() => undefined);
  await files.rm(aside, { force: true });
  return true;
}

/** `gone`: created on this machine by a process that no longer exists. */
function stateOf(held: string): 'gone' | 'unfinished' | 'unknown' {
  let owner: { readonly pid?: unknown; readonly host?: unknown } | null;
  try {
    owner = JSON.parse(held);
  } catch {
    return 'unfinished';
  }
  const pid = owner?.pid;
  if (owner?.host !== hostname() || !Number.isInteger(pid) || (pid as number) <= 0) return 'unknown';
  try {
    process.kill(pid as number, 0);
    return 'unknown';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH' ? 'gone' : 'unknown';
  }
}

async function contentOf(files: RepositoryFiles, lock: string): Promise<string | undefined> {
  try {
    return await files.readFile(lock, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

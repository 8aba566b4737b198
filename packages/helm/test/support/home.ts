import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { type OpenOptions, openRepositories } from '../../src/repository/open-repositories.ts';
import type { Repositories } from '../../src/repository/repositories.ts';

export interface Home extends AsyncDisposable {
  readonly path: string;
  readonly config: string;
  readonly cache: string;
  readonly repositories: Repositories;
  open(options?: Partial<OpenOptions>): Repositories;
}

/** Creates a user's home in its own folder. */
export async function makeHome(): Promise<Home> {
  const path = await mkdtemp(join(tmpdir(), 'logtool-home-'));
  const open = (options: Partial<OpenOptions> = {}) =>
    openRepositories({ env: {}, homeDirectory: path, platform: 'linux', clock: systemClock, ...options });
  return {
    path,
    config: join(path, '.config/helm/repositories.yaml'),
    cache: join(path, '.cache/helm/repository'),
    repositories: open(),
    open,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}

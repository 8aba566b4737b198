import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { showing } from '../../../../../test/support/helm/shown.ts';
import { type OpenOptions, openRepositories } from '../open-repositories.ts';
import type { Repositories } from '../repositories.ts';

export interface Home extends AsyncDisposable {
  readonly path: string;
  readonly config: string;
  readonly cache: string;
  readonly repositories: Repositories;
  open(options?: Partial<OpenOptions>): Repositories;
}

/** A user's home in its own folder. */
export async function makeHome(): Promise<Home> {
  const path = await mkdtemp(join(tmpdir(), 'logtool-home-'));
  const open = (options: Partial<OpenOptions> = {}) =>
    showingAll(
      openRepositories({ env: {}, homeDirectory: path, platform: 'linux', clock: systemClock, ...options }),
    );
  return {
    path,
    config: join(path, '.config/helm/repositories.yaml'),
    cache: join(path, '.cache/helm/repository'),
    repositories: open(),
    open,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}

/** Repositories that reject with a user's messages. */
function showingAll(repositories: Repositories): Repositories {
  return {
    path: repositories.path,
    add: (request) => showing(repositories.add(request)),
    update: (name) => showing(repositories.update(name)),
    remove: (name) => showing(repositories.remove(name)),
    list: () => showing(repositories.list()),
    find: (...query) => showing(repositories.find(...query)),
    download: (version) => showing(repositories.download(version)),
  };
}

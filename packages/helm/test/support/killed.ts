import * as nodeFiles from 'node:fs/promises';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import type { RepositoryFiles } from '../../src/repository/atomic-file.ts';
import { openRepositories } from '../../src/repository/open-repositories.ts';

/**
 * A program that changes the repositories and dies (SIGKILL) at the nth change of the file system: before it, or in the
 * middle of a write. Arguments: home, URL, n, `add` or `remove`.
 */
const [home = '', url = '', dieAt = '', action = ''] = process.argv.slice(2);
let changes = 0;

async function change<Result>(run: () => Promise<Result>, half?: () => Promise<unknown>): Promise<Result> {
  if (++changes < Number(dieAt)) return run();
  await half?.();
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => {
    // The signal ends the process.
  });
}

const files: RepositoryFiles = {
  ...nodeFiles,
  writeFile: (path, data, options) =>
    change(
      () => nodeFiles.writeFile(path, data, options),
      () => {
        const bytes = Buffer.from(data as string | Uint8Array);
        return nodeFiles.writeFile(path, bytes.subarray(0, bytes.length / 2), options);
      },
    ),
  rename: (from, to) => change(() => nodeFiles.rename(from, to)),
  rm: (path, options) => change(() => nodeFiles.rm(path, options)),
  link: (from, to) => change(() => nodeFiles.link(from, to)),
};

const repositories = openRepositories({
  env: {},
  homeDirectory: home,
  platform: 'linux',
  clock: systemClock,
  files,
});
if (action === 'add') await repositories.add({ name: 'logtool', url });
else await repositories.remove('logtool');

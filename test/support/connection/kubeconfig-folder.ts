import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClusterConnection } from '@logtool/kube/src/connection/cluster-connection.ts';
import { openConnection } from '@logtool/kube/src/connection/open-connection.ts';
import type { ConnectionOptions } from '@logtool/kube/src/connection/open-options.ts';
import { type Clock, FakeClock } from '@logtool/kube/src/values/clock.ts';
import { onTestFinished } from 'vitest';

/** Creates a folder for one test, and removes it when the test is over. */
export async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'logtool-kube-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

export interface World {
  readonly directory: string;
  readonly file: string;
  readonly clock: Clock;
  open(options?: Partial<ConnectionOptions>): Promise<ClusterConnection>;
}

/** Writes a kubeconfig with one context, and these fields of its cluster and its user. */
export async function worldOf(
  cluster: object,
  user: object = {},
  options: { readonly directory?: string; readonly clock?: Clock } = {},
): Promise<World> {
  const directory = options.directory ?? (await folder());
  const file = join(directory, 'config');
  const clock = options.clock ?? new FakeClock();
  const document = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'here',
    clusters: [{ name: 'one', cluster }],
    users: [{ name: 'ann', user }],
    contexts: [{ name: 'here', context: { cluster: 'one', user: 'ann', namespace: 'shop' } }],
  };
  await writeFile(file, JSON.stringify(document, null, 2));
  return {
    directory,
    file,
    clock,
    async open(more) {
      const connection = await openConnection({
        kubeconfig: file,
        env: { PATH: process.env.PATH },
        homeDirectory: directory,
        clock,
        interactive: false,
        ...more,
      });
      onTestFinished(() => connection.close());
      return connection;
    },
  };
}

export function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

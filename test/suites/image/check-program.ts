import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SimCluster } from '@logtool/simcluster/src/start.ts';
import { expect, onTestFinished } from 'vitest';
import { podEnvironment, writeServiceAccount } from '../../support/server/service-account.ts';
import { cookieOf, tokensOf } from '../../support/server/signed-in.ts';
import type { Bind } from './isolated-root.ts';

/** Where the kubelet mounts a service account. */
const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Starts the image's program with these arguments; only its /tmp is writable. */
export type StartImage = (
  args: readonly string[],
  more?: { readonly binds?: readonly Bind[]; readonly env?: Readonly<Record<string, string>> },
) => Promise<ChildProcess>;

export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

/** Returns what the program prints until it ends. */
export async function printedBy(child: ChildProcess): Promise<Printed> {
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.on('data', (chunk: Buffer) => {
      texts[name] += chunk;
    });
  const [code] = (await once(child, 'close')) as [number | null];
  return { ...texts, code };
}

/** Starts the dashboard like the chart does, signs in, and reads the cluster like a user. */
export async function checkServeInCluster(start: StartImage, cluster: SimCluster): Promise<void> {
  const tokens = await tokensOf(cluster.kubeconfig);
  const directory = await publicFolder();
  await writeServiceAccount(directory, cluster.kubeconfig, tokens.get('nobody') ?? '');
  const child = await start(
    ['serve', '--in-cluster', '--auth=kubernetes', '--skip-open', '--host=127.0.0.1', '--port=0'],
    { binds: [{ from: directory, to: SERVICE_ACCOUNT }], env: podEnvironment(cluster.server) },
  );
  const base = await addressOf(child);
  const page = await fetch(base);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<script type="module"')]);
  const signIn = await fetch(`${base}/api/v1/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: tokens.get('full') }),
  });
  expect(signIn.status).toBe(200);
  const { token } = (await signIn.json()) as { token: string };
  const headers = { cookie: cookieOf(signIn), 'x-logtool-token': token };
  const contexts = await fetch(`${base}/api/v1/contexts?check=in-cluster`, { headers });
  expect(await contexts.json()).toMatchObject({
    contexts: [{ name: 'in-cluster', namespace: 'shop', reachability: 'reachable' }],
  });
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await ended).toEqual([143, null]);
}

/** Makes a folder that any user may enter; it is removed after the test. */
export async function publicFolder(mode = 0o755): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'logtool-image-'));
  await chmod(folder, mode);
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    const read = (chunk: Buffer) => {
      printed += chunk;
      const port = /\bhttp:\/\/\S+?:(\d+)/.exec(printed)?.[1];
      if (port !== undefined) resolve(`http://127.0.0.1:${port}`);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('close', (code) => reject(new Error(`serve ended with ${code}: ${printed}`)));
  });
}

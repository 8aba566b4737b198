import { once } from 'node:events';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Fault } from '@logtool/simcluster/src/faults/fault.ts';
import type { SimCluster } from '@logtool/simcluster/src/start.ts';
import { dump } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { readKubeconfigFile } from '../../support/kubeconfig-file.ts';
import { type BuiltCli, buildCli } from '../../support/program/build-cli.ts';
import { clusterOf } from './one-deployment.ts';
import { openFilesBelow, seesOpenFiles } from './open-files.ts';
import { ownFolder, type RunningProgram, startProgram } from './start-program.ts';

const POLL = { timeout: 60_000, interval: 20 };
const PODS = 4;
const SIGNALS = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const;
const ALL_IN_TURNS = ['logs', 'deployments/web', '--all', '--max-log-requests=1'];
const IN_TURNS = `reading 1 of ${PODS} containers at a time, in turns; --max-log-requests=${PODS} reads all at once\n`;

let cli: BuiltCli;

beforeAll(async () => {
  cli = await buildCli();
});
afterAll(() => cli?.remove());

const clusterWith = (...faults: readonly Fault[]) =>
  clusterOf(PODS, { text: `{n} ${'x'.repeat(1_000)}`, repeat: 2_000 }, faults);

/** Writes a changed copy of the cluster's kubeconfig beside it. */
async function changed(
  cluster: SimCluster,
  change: (config: { clusters: { cluster: object }[]; users: { user: object }[] }) => void,
): Promise<string> {
  const config = await readKubeconfigFile(cluster.kubeconfig);
  change(config);
  const path = join(await ownFolder(), 'kubeconfig');
  await writeFile(path, dump(config));
  return path;
}

/** Starts a server that accepts connections and never answers. */
async function silentServer(): Promise<{ readonly url: string; readonly reached: Promise<void> }> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const reached = once(server, 'connection').then(async ([socket]: Socket[]) => {
    if (socket === undefined) return;
    socket.on('error', () => undefined);
    await once(socket, 'data');
  });
  onTestFinished(() => void server.close());
  return { url: `https://127.0.0.1:${port}`, reached };
}

const hit = (cluster: SimCluster) => vi.waitFor(() => expect(cluster.faultsHit).toBeGreaterThan(0), POLL);

/** Includes a process that has ended but whose adopter has not noticed yet. */
async function isRunning(id: number): Promise<boolean> {
  try {
    process.kill(id, 0);
  } catch {
    return false;
  }
  return !/\) Z /.test(await readFile(`/proc/${id}/stat`, 'utf8').catch(() => ''));
}

interface Phase {
  readonly program: RunningProgram;
  /** Resolves once the program is in this phase. */
  readonly reached: Promise<unknown>;
  /** The program's output by then. */
  readonly outputText?: string | RegExp;
  readonly after?: () => Promise<void>;
}

const phases: readonly (readonly [name: string, begin: () => Promise<Phase>])[] = [
  [
    'the TLS handshake',
    async () => {
      const cluster = await clusterWith();
      const { url, reached } = await silentServer();
      const kubeconfig = await changed(cluster, ({ clusters }) =>
        Object.assign(clusters[0]?.cluster ?? {}, { server: url }),
      );
      return { program: await startProgram(cli, kubeconfig, ['logs', 'deployments/web']), reached };
    },
  ],
  [
    'discovery',
    async () => {
      const cluster = await clusterWith({ kind: 'stall', match: '/apis?(\\?|$)', afterBytes: 10 });
      const program = await startProgram(cli, cluster.kubeconfig, ['logs', 'rollouts/web']);
      return { program, reached: hit(cluster) };
    },
  ],
  [
    'the list of pods',
    async () => {
      const cluster = await clusterWith({ kind: 'stall', match: '/pods\\?', afterBytes: 500 });
      const program = await startProgram(cli, cluster.kubeconfig, ['logs', 'deployments/web', '-f']);
      return { program, reached: hit(cluster) };
    },
  ],
  [
    'a credential plugin that hangs',
    async () => {
      const cluster = await clusterWith();
      const folder = await ownFolder();
      const script = join(folder, 'plugin');
      await writeFile(
        script,
        `#!/bin/sh\necho $$ > '${folder}/pid.new'\nmv '${folder}/pid.new' '${folder}/pid'\nsleep 600\n`,
      );
      await chmod(script, 0o755);
      const kubeconfig = await changed(cluster, (config) => {
        const exec = {
          apiVersion: 'client.authentication.k8s.io/v1',
          interactiveMode: 'Never',
          command: script,
        };
        for (const each of config.users) each.user = { exec };
      });
      const pid = async () => Number(await readFile(join(folder, 'pid'), 'utf8'));
      const program = await startProgram(cli, kubeconfig, ['logs', 'deployments/web']);
      const after = async () => {
        const id = await pid();
        await vi.waitFor(async () => expect(await isRunning(id)).toBe(false), POLL);
      };
      // The program prints this after the plugin has run for two seconds.
      const outputText = /^(waiting for the credential plugin .*\n)?$/;
      return { program, reached: vi.waitFor(pid, POLL), outputText, after };
    },
  ],
  [
    'reading into a temporary file',
    async () => {
      const cluster = await clusterWith({ kind: 'stall', match: '/log\\?', skip: 2, afterBytes: 300_000 });
      const program = await startProgram(cli, cluster.kubeconfig, ALL_IN_TURNS);
      return { program, reached: spilled(program).then(() => hit(cluster)), outputText: IN_TURNS };
    },
  ],
  [
    'printing to a reader that does not read',
    async () => {
      const cluster = await clusterWith();
      const program = await startProgram(cli, cluster.kubeconfig, ALL_IN_TURNS);
      const { stdout } = program.child;
      // Without a reader the pipe takes only a little of 8 MB; the rest is stuck.
      const reached = once(stdout, 'readable');
      return { program, reached, outputText: IN_TURNS };
    },
  ],
  [
    'following',
    async () => {
      const cluster = await clusterWith();
      const program = await startProgram(cli, cluster.kubeconfig, [
        'logs',
        'deployments/web',
        '-f',
        '--tail=1',
      ]);
      const reached = new Promise((resolve) => program.child.stdout.once('data', resolve));
      return { program, reached };
    },
  ],
];

async function spilled({ child, folder }: RunningProgram): Promise<void> {
  if (!seesOpenFiles) return;
  await vi.waitFor(async () => expect(await openFilesBelow(folder, child.pid)).toHaveLength(1), POLL);
}

describe.each(phases)('a signal during %s', (_, begin) => {
  test.each(SIGNALS)('%s: exit code %d, silence, and no file is left', async (signal, expected) => {
    const { program, reached, outputText = '', after } = await begin();
    await reached;
    program.child.kill(signal);
    const { stderr, ...rest } = await program.ended;
    expect(rest).toEqual({ code: expected, left: [] });
    if (typeof outputText === 'string') expect(stderr).toBe(outputText);
    else expect(stderr).toMatch(outputText);
    await after?.();
  });
});

test.each([
  ['SIGINT', 130, 'the first log', '/log\\?'],
  ['SIGTERM', 143, 'pods', '/pods'],
  ['SIGINT', 130, 'pods', '/pods'],
  ['SIGHUP', 129, 'the deployment', '/deployments'],
] as const)(
  '%s ends with %d while %s is waited for, without a word on what there is',
  async (signal, code, _, match) => {
    const cluster = await clusterWith({ kind: 'stall', match, afterBytes: 0 });
    const program = await startProgram(cli, cluster.kubeconfig, [
      'logs',
      'deployments/web',
      '--with-cursors',
    ]);
    let stdout = '';
    program.child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    await hit(cluster);
    program.child.kill(signal);
    expect([await program.ended, stdout]).toEqual([{ code, stderr: '', left: [] }, '']);
  },
);

test('no file is left where the program is killed while it reads into one', async () => {
  const cluster = await clusterWith({ kind: 'stall', match: '/log\\?', skip: 2, afterBytes: 300_000 });
  const program = await startProgram(cli, cluster.kubeconfig, ALL_IN_TURNS);
  await spilled(program).then(() => hit(cluster));
  program.child.kill('SIGKILL');
  expect(await program.ended).toMatchObject({ code: null, left: [] });
});

test('leaves no file if some of the logs are unreadable', async () => {
  const cluster = await clusterWith({ kind: 'status', status: 403, match: '/log\\?', skip: 2 });
  const program = await startProgram(cli, cluster.kubeconfig, ALL_IN_TURNS);
  program.child.stdout.resume();
  const { code, left, stderr } = await program.ended;
  expect({ code, left }).toEqual({ code: 1, left: [] });
  expect(stderr).toMatch(/^error: /m);
});

import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClusterControl } from '../../src/simcluster/control/cluster-control.ts';
import { atExit } from '../measure/at-exit.ts';
import { SCENARIO } from './scenario.ts';
import { writeLogs } from './write-logs.ts';

/** The simulated cluster from a build, a process of its own. */
export interface SimulatedCluster {
  readonly kubeconfig: string;
  /** Holds what it writes; and is the home of the programs that are measured. */
  readonly directory: string;
  /** Calls a function of the cluster's control. */
  control<N extends keyof ClusterControl>(
    name: N,
    argument: Parameters<ClusterControl[N]>[0],
  ): Promise<Awaited<ReturnType<ClusterControl[N]>>>;
  close(): Promise<void>;
}

/** Starts it, with its logs written. */
export async function startSimulated(program: string): Promise<SimulatedCluster> {
  const directory = await mkdtemp(join(tmpdir(), 'logtool-bench-'));
  const scenario = join(directory, 'scenario.yaml');
  await writeFile(scenario, JSON.stringify(SCENARIO));
  const cluster = spawn(process.execPath, [program, '--directory', directory, scenario], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Its files go when it is gone, or it would write some behind our back.
  const close = async () => {
    await end(cluster);
    rmSync(directory, { recursive: true, force: true });
    undone();
  };
  const undone = atExit(() => {
    cluster.kill('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  });
  try {
    const [kubeconfig, controlUrl] = await Promise.all([
      said(cluster, 'stdout', /^(\S+)\n/),
      said(cluster, 'stderr', /control (\S+);/),
    ]);
    writeLogs(directory);
    return {
      kubeconfig,
      directory,
      async control(name, argument) {
        const response = await fetch(`${controlUrl}/control/${name}`, {
          method: 'POST',
          body: JSON.stringify(argument ?? {}),
        });
        const body = (await response.json()) as { readonly result?: never; readonly error?: string };
        if (!response.ok) throw new Error(`${name}: ${body.error}`);
        return body.result as never;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The first group of a pattern, once a process has printed it. */
function said(child: ChildProcess, stream: 'stdout' | 'stderr', pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child[stream]?.on('data', (chunk: Buffer) => {
      text += chunk;
      const found = pattern.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('error', reject);
    child.once('close', (code) =>
      reject(new Error(`the simulated cluster ended with ${code}: ${text} (is dist/ built?)`)),
    );
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGTERM');
  await closed;
}

import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atExit } from '../measure/at-exit.ts';
import { type Control, controlAt } from './control.ts';
import { end, printedMatch } from './process.ts';
import { SCENARIO } from './scenario.ts';
import { writeLogs } from './write-logs.ts';

/** A built simulated cluster in its own process. */
export interface SimulatedCluster {
  readonly kubeconfig: string;
  /** The folder for its files; also the home of the measured programs. */
  readonly directory: string;
  readonly control: Control;
  close(): Promise<void>;
}

/** Starts a simulated cluster, and writes its logs. */
export async function startSimulated(program: string): Promise<SimulatedCluster> {
  const directory = await mkdtemp(join(tmpdir(), 'logtool-bench-'));
  const scenario = join(directory, 'scenario.yaml');
  await writeFile(scenario, JSON.stringify(SCENARIO));
  const cluster = spawn(process.execPath, [program, '--directory', directory, scenario], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Remove its files after it has ended, or it could write more.
  const close = async () => {
    await end(cluster, 'SIGTERM');
    rmSync(directory, { recursive: true, force: true });
    undone();
  };
  const undone = atExit(() => {
    cluster.kill('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  });
  try {
    const [kubeconfig, controlUrl] = await Promise.all([
      printedMatch(cluster, 'stdout', /^(\S+)\n/),
      printedMatch(cluster, 'stderr', /control (\S+);/),
    ]);
    writeLogs(directory);
    return {
      kubeconfig,
      directory,
      control: controlAt(controlUrl),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

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

/** The simulated cluster from a build, a process of its own. */
export interface SimulatedCluster {
  readonly kubeconfig: string;
  /** Holds what it writes; and is the home of the programs that are measured. */
  readonly directory: string;
  readonly control: Control;
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
  // Its files go when it has ended, or it would write more meanwhile.
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

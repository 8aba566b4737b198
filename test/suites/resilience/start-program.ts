import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { BuiltCli } from '../../support/program/build-cli.ts';

export interface Ended {
  /** Null if a signal ended it that it did not handle. */
  readonly code: number | null;
  readonly stderr: string;
  /** Its leftovers in its folder for temporary files. */
  readonly left: readonly string[];
}

/** The real program as a process whose standard output nobody reads yet. */
export interface RunningProgram {
  readonly child: ChildProcessWithoutNullStreams;
  /** Its own folder for temporary files. */
  readonly folder: string;
  /** Its output so far. */
  readonly stderr: () => string;
  readonly ended: Promise<Ended>;
}

/** The environment of a user who has nothing but this kubeconfig. */
export function environment(cli: BuiltCli, kubeconfig: string, folder: string) {
  return {
    PATH: process.env.PATH,
    HOME: cli.folder,
    TMPDIR: folder,
    KUBECONFIG: kubeconfig,
    TERM: 'xterm-256color',
  };
}

/** A folder that goes with the test. */
export async function ownFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'resilience-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts the program; it ends with the test at the latest. */
export async function startProgram(
  cli: BuiltCli,
  kubeconfig: string,
  argv: readonly string[],
): Promise<RunningProgram> {
  const folder = await mkdtemp(join(tmpdir(), 'resilience-'));
  const [file, ...args] = cli.command;
  const child = spawn(file, [...args, ...argv], { env: environment(cli, kubeconfig, folder) });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = Promise.all([once(child, 'exit'), once(child.stderr, 'close')]).then(
    async ([[code]]): Promise<Ended> => ({
      code: code as number | null,
      stderr,
      left: await readdir(folder),
    }),
  );
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  });
  return { child, folder, stderr: () => stderr, ended };
}

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { BuiltCli } from '../../support/program/build-cli.ts';

export interface Ended {
  /** Null if a signal that the program does not handle ended it. */
  readonly code: number | null;
  readonly stderr: string;
  /** Files left in its folder for temporary files. */
  readonly left: readonly string[];
}

/** The real program as a process, without a reader on its standard output yet. */
export interface RunningProgram {
  readonly child: ChildProcessWithoutNullStreams;
  /** Its own folder for temporary files. */
  readonly folder: string;
  /** Its output so far. */
  readonly stderr: () => string;
  readonly ended: Promise<Ended>;
}

/** Returns the environment of a user with only this kubeconfig. */
export function environment(cli: BuiltCli, kubeconfig: string, folder: string) {
  return {
    PATH: process.env.PATH,
    HOME: cli.folder,
    TMPDIR: folder,
    KUBECONFIG: kubeconfig,
    TERM: 'xterm-256color',
  };
}

/** Makes a folder that is removed after the test. */
export async function ownFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'resilience-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts the program; it ends at the latest with the test. */
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

import { spawnSync } from 'node:child_process';

/** The standard output of a program. Throws what it printed as an error when it fails or is missing. */
export function runTool(command: string, args: readonly string[]): Buffer {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    maxBuffer: 2 ** 29,
    env: { ...process.env, LC_ALL: 'C' },
  });
  if (status === 0) return stdout;
  const why = error === undefined ? stderr.toString().trim() : error.message;
  throw new Error(`${[command, ...args].join(' ')} failed: ${why}`, { cause: error });
}

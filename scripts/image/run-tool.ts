import { spawnSync } from 'node:child_process';

/** Returns a program's standard output. Throws with its standard error if it fails or is missing. */
export function runTool(command: string, args: readonly string[]): Buffer {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    maxBuffer: 2 ** 29,
    env: { ...process.env, LC_ALL: 'C' },
  });
  if (status === 0) return stdout;
  const why = error === undefined ? stderr.toString().trim() : error.message;
  throw new Error(`${[command, ...args].join(' ')} failed: ${why}`, { cause: error });
}

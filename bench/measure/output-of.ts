import { execFile } from 'node:child_process';

/** What a program prints. Throws with its own words when it fails. */
export function outputOf(command: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const [file = '', ...args] = command;
  return new Promise((resolve, reject) => {
    execFile(file, args, { env, maxBuffer: 2 ** 28 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(stderr.trim() || error.message));
    });
  });
}

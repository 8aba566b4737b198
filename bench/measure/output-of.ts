import { execFile } from 'node:child_process';

/** Returns a program's output. Throws with the program's own message if it fails. */
export function outputOf(command: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const [file = '', ...args] = command;
  return new Promise((resolve, reject) => {
    execFile(file, args, { env, maxBuffer: 2 ** 28 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(stderr.trim() || error.message));
    });
  });
}

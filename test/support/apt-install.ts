import { spawn } from 'node:child_process';

/** The machine, as far as a package is installed on it. */
export interface AptMachine {
  readonly platform: NodeJS.Platform;
  readonly isRoot: boolean;
  /** Runs a program to its end; false if it failed or is not there. */
  run(command: string, args: readonly string[]): Promise<boolean>;
}

const WAIT_FOR_LOCK = 'DPkg::Lock::Timeout=300';

/** Installs Debian's package if this machine has apt and lets us. Says what was tried, in half a sentence. */
export async function aptInstall(name: string, { platform, isRoot, run }: AptMachine): Promise<string> {
  if (platform !== 'linux') return 'none can be installed here by itself';
  const [command, before] = isRoot ? (['apt-get', []] as const) : (['sudo', ['-n', 'apt-get']] as const);
  const apt = (...args: string[]) => run(command, [...before, '-o', WAIT_FOR_LOCK, ...args]);
  const get = () => apt('install', '-y', '--no-install-recommends', name);
  // The lists of packages of a fresh machine are empty or old.
  if ((await get()) || ((await apt('update')) && (await get())))
    return 'the one just installed is not on the PATH';
  return `\`${[command, ...before].join(' ')} install ${name}\` did not work`;
}

/** This one. */
export const thisMachine: AptMachine = {
  platform: process.platform,
  isRoot: process.getuid?.() === 0,
  run: (command, args) =>
    new Promise((resolve) => {
      const child = spawn(command, args, {
        stdio: 'ignore',
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      });
      child.once('error', () => resolve(false));
      child.once('close', (code) => resolve(code === 0));
    }),
};

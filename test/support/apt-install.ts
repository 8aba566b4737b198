import { spawn } from 'node:child_process';

/** The parts of the machine needed to install a package. */
export interface AptMachine {
  readonly platform: NodeJS.Platform;
  readonly isRoot: boolean;
  /** Runs a program to its end; returns false if it failed or does not exist. */
  run(command: string, args: readonly string[]): Promise<boolean>;
}

const WAIT_FOR_LOCK = 'DPkg::Lock::Timeout=300';

/**
 * Installs Debian's package if this machine has apt and allows it. Returns a phrase that describes the
 * attempt.
 */
export async function aptInstall(name: string, { platform, isRoot, run }: AptMachine): Promise<string> {
  if (platform !== 'linux') return 'none can be installed here by itself';
  const [command, before] = isRoot ? (['apt-get', []] as const) : (['sudo', ['-n', 'apt-get']] as const);
  const apt = (...args: string[]) => run(command, [...before, '-o', WAIT_FOR_LOCK, ...args]);
  const get = () => apt('install', '-y', '--no-install-recommends', name);
  // A new machine's package lists are empty or old.
  if ((await get()) || ((await apt('update')) && (await get())))
    return 'the one just installed is not on the PATH';
  return `\`${[command, ...before].join(' ')} install ${name}\` did not work`;
}

/** The current machine. */
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

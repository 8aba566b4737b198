import { type SpawnOptions, spawn } from 'node:child_process';

/** Facts about the machine, and how to start a program on it. */
export interface BrowserWorld {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly start: (command: string, args: readonly string[], options: SpawnOptions) => StartedProgram;
}

export interface StartedProgram {
  once(event: 'error' | 'spawn' | 'exit', listener: (value: unknown) => void): unknown;
  unref(): void;
}

export const systemBrowserWorld = (env: BrowserWorld['env']): BrowserWorld => ({
  env,
  platform: process.platform,
  start: (command, args, options) => spawn(command, args, options),
});

/** Returns why a browser would not show; undefined if it would. */
export function whyNoBrowser({ env, platform }: BrowserWorld): string | undefined {
  if (isSet(env.CI)) return 'CI is set';
  if (platform === 'win32') return undefined;
  const hasDisplay = isSet(env.DISPLAY) || isSet(env.WAYLAND_DISPLAY);
  if (platform === 'darwin') return isSet(env.SSH_CONNECTION) ? 'this is a remote session' : undefined;
  return hasDisplay || isSet(env.WSL_DISTRO_NAME) ? undefined : 'there is no display';
}

/**
 * Opens the address with the system's program for it. Waits only for the program's start. Calls back once if
 * the start fails, or if the program soon reports a failure.
 */
export function openBrowser(url: string, world: BrowserWorld, onFailure: (why: string) => void): void {
  const [command, ...args] = commandFor(url, world);
  let hasFailed = false;
  const fail = (why: string) => {
    if (!hasFailed) onFailure(why);
    hasFailed = true;
  };
  try {
    const program = world.start(command, args, { detached: true, stdio: 'ignore', windowsHide: true });
    program.once('error', (error) => fail(error instanceof Error ? error.message : String(error)));
    program.once('exit', (code) => {
      if (typeof code === 'number' && code !== 0) fail(`${command} ended with ${code}`);
    });
    program.unref();
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
  }
}

function commandFor(url: string, { env, platform }: BrowserWorld): readonly [string, ...string[]] {
  // `start` is built into cmd, where & and ^ have a meaning; rundll32 takes the address literally.
  if (platform === 'win32') return ['rundll32.exe', 'url.dll,FileProtocolHandler', url];
  if (platform === 'darwin') return ['open', url];
  if (isSet(env.WSL_DISTRO_NAME) && !isSet(env.DISPLAY) && !isSet(env.WAYLAND_DISPLAY)) {
    return ['rundll32.exe', 'url.dll,FileProtocolHandler', url];
  }
  return ['xdg-open', url];
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value !== 'false';
}
